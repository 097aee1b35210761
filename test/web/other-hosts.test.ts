// A fleet of two hosts on a real NATS server, in the browser of one of them.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "../../src/link/rows.js";
import { buckets } from "../../src/link/subjects.js";
import { hivemind } from "../command.js";
import { allows } from "../fleet-hosts/far-hosts.js";
import { type FleetHost, testHost, type Watcher } from "../fleet-hosts/hosts.js";
import { type NatsServers, startServers, testBus } from "../fleet-hosts/servers.js";
import { until } from "../home.js";
import { apiOf, type Json } from "../web-api/asked.js";
import { seriousOn } from "./axe.js";
import { bothSizes, openStage, type Stage } from "./driver.js";
import { goTo, itemOf, rowOf } from "./find-parts.js";

let servers: NatsServers;
let stage: Stage;
beforeAll(async () => {
  servers = await startServers();
  stage = await openStage({
    roles: ["lead"],
    prepare: (home) => Object.assign(home.env, { HIVEMIND_FLEET: servers.url, HIVEMIND_HOST: "alpha" }),
  });
});
afterAll(async () => {
  await stage.close();
  await servers.stop();
});

const hostOf = (page: Page, name: string) => page.getByRole("region", { name: `Host ${name}` });

/** A host with an agent that waits and one that does not. */
async function workingHost(name: string): Promise<{ host: FleetHost; watcher: Watcher }> {
  const host = testHost(name, servers.url, { panes: 0 });
  const run = (...args: string[]) => {
    const { code, stderr } = hivemind(host.home, args);
    if (code !== 0) throw new Error(`hivemind ${args.join(" ")}: exit ${code}: ${stderr}`);
  };
  run("hooks", "install");
  const watcher = await host.watch();
  run("team", "setup", "depot", "packer", "driver", "--kind", "demo");
  run("send", "driver", "drive [ask npm run drive]");
  return { host, watcher };
}

test("the board shows another host's agents, and after its worker was killed since when it is not reached", async () => {
  const { watcher } = await workingHost("beta");
  const page = await stage.visit();
  await rowOf(page, "lead").waitFor();
  const beta = hostOf(page, "beta");
  await beta.getByText("reached", { exact: true }).waitFor();
  const rows = beta.getByRole("listitem");
  await rows.first().getByText("waiting", { exact: true }).waitFor();
  expect(await rows.first().innerText()).toMatch(
    /driver[\s\S]*1 request · depot · demo · in work[\s\S]*\d+ (?:s|min) old/,
  );
  expect(await rows.nth(1).innerText()).toMatch(/packer[\s\S]*depot · demo[\s\S]*\d+ (?:s|min) old/);
  expect(await page.getByRole("region", { name: "Host alpha" }).count()).toBe(0);
  const { status, value } = await apiOf(stage.home).get("/fleet");
  expect(status).toBe(200);
  expect(value).toMatchObject({ host: "alpha", lease: { isFresh: true } });
  expect(value.agents.map(({ role, host }: Json) => `${role}@${host}`).sort()).toEqual([
    ...["driver@beta", "lead@alpha", "packer@beta"],
  ]);

  await watcher.end();
  await beta.getByText(/^not reached since \d\d:\d\d \(\d+ s\)$/).waitFor({ timeout: 60_000 });
  await rows.first().getByText("was waiting").waitFor();
});

test.each(bothSizes)(
  "on a %s the inbox shows what agents of another host ask, and decides where that host allows it",
  async (size) => {
    const name = `gamma-${size}`;
    const { host } = await workingHost(name);
    // A host of another test may have ended a moment ago.
    const page = await stage.visit({ size, expected: /GET \S+\/api\/v1\/fleet\/\S+\/inbox$/ });
    await goTo(page, "Inbox");
    const inbox = page.getByRole("region", { name: `Inbox of ${name}` });
    await inbox.getByText(`driver@${name}`).waitFor();
    await inbox.getByText("hivemind fleet allow approve", { exact: true }).waitFor();
    expect(await inbox.innerText()).not.toContain("npm run drive");
    expect(await inbox.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
    expect(await seriousOn(page)).toEqual([]);

    await allows({ ...host.home, name }, "approve", "alpha");
    await page.reload();
    const item = itemOf(inbox, `driver@${name}`);
    await item.getByText("npm run drive").waitFor();
    await inbox.getByText(/^read from there \d+ s ago$/).waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await item.getByRole("button", { name: "Approve", exact: true }).click();
    await until("it is approved", () =>
      /far.acted approve \S+ \S+@alpha .* done/.test(hivemind(host.home, ["events"]).stdout),
    );
    await inbox.getByText("Nothing waits there.").waitFor();
  },
);

/** Rows as a hostile host could write them: one host has a lease, the other one has none. */
async function writtenHosts(): Promise<void> {
  const bus = await testBus(servers);
  const [leases, rows] = await Promise.all([bus.bucket(buckets.hosts), bus.bucket(buckets.agents)]);
  const facts = { v: 1, role: "scout", kind: "claude", standing: "present", model: "claude-opus-4-8" };
  const context = { used: 134_000, window: 200_000 };
  const team = `${markup}\u202etpircs`;
  await leases.put("near", textOf({ instance: "0".repeat(32), epoch: null, machine: markup, version: "1" }));
  const waiting = { ...facts, context, activity: "waiting", asks: 3, queued: 12, team, folder: "api" };
  await rows.put("near.aaaaaaaaaa", textOf({ ...facts, context, activity: "busy", team: "depot" }));
  await rows.put("near.bbbbbbbbbb", textOf({ ...waiting, role: "asker", pane: "depot:0.1" }));
  await rows.put("near.cccccccccc", textOf({ ...facts, role: "odd", activity: "constructor" }));
  await rows.put("gone.dddddddddd", textOf({ ...waiting, role: "left", pane: "depot:0.1" }));
}

const markup = '<img src="x" onerror="globalThis.hacked=1">';

test.each(bothSizes.flatMap((size) => (["light", "dark"] as const).map((theme) => ({ size, theme }))))(
  "on a $size in $theme colours rows of other hosts are text with an age, and axe finds nothing serious",
  async (visit) => {
    await writtenHosts();
    const page = await stage.visit(visit);
    const near = hostOf(page, "near");
    await near.getByText("asker", { exact: true }).waitFor();
    expect(await seriousOn(page)).toEqual([]);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.evaluate("globalThis.hacked")).toBeUndefined();
    expect(await page.locator("body").innerText()).not.toContain("\u202e");
    for (const row of await page.locator(".far-row").all()) {
      // The browser draws a row when it comes into view.
      await row.scrollIntoViewIfNeeded();
      await row.getByText(/^\d+ (?:s|min) old$/).waitFor();
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);

    await rowOf(page, "lead").getByRole("link", { name: "lead" }).focus();
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.closest('.far-row') !== null")).toBe(true);
  },
);

test("without the fleet's server the rows stay, and the page says that nobody knows more", async () => {
  await writtenHosts();
  const page = await stage.visit({ expected: /GET \S+\/api\/v1\/fleet$/ });
  const near = hostOf(page, "near");
  await near.getByText("reached", { exact: true }).waitFor();
  await servers.kill(0);
  await page.getByRole("alert").waitFor({ timeout: 40_000 });
  await near.getByText(/^reached \d+ s ago$/).waitFor();
  await near.getByText("asker", { exact: true }).waitFor();
  await servers.start(0);
  await page.getByRole("alert").waitFor({ state: "detached", timeout: 40_000 });
});
