// The lineage, the consistency and foreign texts in the browser.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { transcriptPath } from "../demo-agent/driver.js";
import type { TestHome } from "../home.js";
import { allViews, open } from "./all-views.js";
import { bothSizes, openStage, type Stage } from "./driver.js";
import { goTo, itemOf } from "./find-parts.js";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ roles: ["lead", "builder"], prepare: plantHostile });
  stage.run("send", "lead", "--wait", "plan the checkout");
  stage.run("agent", "fork", "lead", "--as", "second", "--team", "shop");
  stage.run("send", "second", "--wait", "plan it another way");
  stage.run("init");
});
afterAll(() => stage.close());

describe.each(bothSizes)("on a %s", (size) => {
  test("a fork is found in the lineage by searching, with whom it came from", async () => {
    const page = await stage.visit({ size });
    await goTo(page, "Lineage");
    const search = page.getByRole("searchbox", { name: /^Search titles/ });
    await search.fill("second");
    await page.getByText("1 found").waitFor();
    await search.press("Enter");
    const card = page.getByRole("region", { name: "The chosen conversation" });
    await card.getByRole("heading", { name: "second" }).waitFor();
    await card.getByText("Forked from").waitFor();
    await card.getByRole("link", { name: "Point of the fork" }).click();
    await page.getByRole("heading", { level: 1, name: "lead" }).waitFor();
    await page.getByText("plan the checkout").first().waitFor();
  });

  test("a violation is repaired after its plan was shown", async () => {
    const lost = `lost-${size}`;
    const teams = join(stage.home.config, "hivemind.teams.env");
    const page = await stage.visit({ size });
    appendFileSync(teams, `${lost}|away\n`);
    await goTo(page, "Health");
    await page.getByText("A team is stored that neither runs nor can be restored").first().waitFor();
    const plan = page.getByRole("region", { name: "A repair would do 1 thing" });
    await plan.getByText(lost).waitFor();
    expect(readFileSync(teams, "utf8")).toContain(lost);
    await plan.getByRole("button", { name: "Repair" }).click();
    await page.getByText("Nothing is wrong any more.").waitFor();
    await page.getByText("The repair did this:").waitFor();
    expect(readFileSync(teams, "utf8")).not.toContain(lost);
  });
});

/** Text that would run or hide something if it became markup. */
const markup = '<img src="x" onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';
const override = "\u202e";
const session = "0badf00d-0000-4000-8000-000000000001";

/** A conversation of another program, in the folder of the team. */
function plantHostile(home: TestHome): void {
  const path = transcriptPath(home, home.work, session);
  const record = (type: string, uuid: string, parentUuid: string | null, content: unknown) => ({
    ...{ parentUuid, isSidechain: false, type, uuid, sessionId: session, cwd: home.work, version: "2.1.325" },
    ...{ timestamp: "2026-04-22T08:52:40.123Z", message: { role: type, content } },
  });
  const spoken = `**${markup}** [link](javascript:globalThis.hacked=1) \`\`\`${markup}\`\`\` \x1b]0;title\x07 ${override}evil`;
  const lines = [
    { type: "custom-title", customTitle: `${markup}${override}eltit`, sessionId: session },
    record("user", "00000000-0000-4000-8000-00000000000a", null, spoken),
    record("assistant", "00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000a", [
      { type: "text", text: `# ${spoken}\n<details open ontoggle="globalThis.hacked=1">` },
      { type: "tool_use", id: "t1", name: markup, input: { command: spoken } },
    ]),
  ];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

/** Puts what cannot be typed into the request that the hook wrote. */
function changeRequest(home: TestHome, from: string, to: string): void {
  const folder = join(home.config, "hivemind.hooks", "requests");
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".json"))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, JSON.stringify(to).slice(1, -1)));
  }
}

test("foreign texts are never markup, and what could hide something is shown as a mark", async () => {
  stage.run("send", "builder", `${markup} [ask echo hostile]`);
  const page = await stage.visit();
  await goTo(page, "Inbox");
  const item = itemOf(page, "builder");
  await item.getByText("echo hostile").waitFor();
  changeRequest(stage.home, "echo hostile", `echo ${markup} ${override}\x07live`);
  await item.getByText("Read this one carefully.").waitFor();
  await item.getByText(markup).first().waitFor();
  await item.getByText("U+202E").first().waitFor();
  const titled = (page: Page) => page.getByRole("heading", { level: 1, name: markup });
  const planted = { route: `#/sessions/${session}`, shows: titled };
  for (const view of [...allViews(stage, "builder"), planted]) {
    await open(page, view);
    expect(
      await page.locator('img, script:not([src]), details[ontoggle], a[href^="javascript"]').count(),
    ).toBe(0);
    expect(await page.evaluate("globalThis.hacked"), view.route).toBeUndefined();
    expect(await page.locator("body").innerText(), view.route).not.toContain(override);
  }
});
