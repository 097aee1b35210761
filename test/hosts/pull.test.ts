// Fetches what another host has stored, and starts its teams here.

import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome, until } from "../home.js";
import { type FleetSpec, panesOf, startFleet } from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";
import { begin, farProgram, type TestHosts, testHosts } from "./hosts.js";

const fleet: FleetSpec = {
  web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "builder"] }],
  api: [{ index: 0, name: "all", shape: "tiled", panes: ["owner"] }],
};

/** Its teams are saved; their folders exist here too. */
async function savedOnBeta(spec: FleetSpec = fleet): Promise<TestHosts & { map: string[]; box: string }> {
  const hosts = await testHosts();
  const { alpha, beta } = hosts;
  await startFleet(beta, spec);
  expect(hivemind(beta, ["teams", "save"]).code).toBe(0);
  for (const name of readdirSync(beta.work)) mkdirSync(join(alpha.work, name));
  const box = join(alpha.config, "hivemind.pulled", "beta");
  return { ...hosts, map: ["--map", `${beta.work}=${alpha.work}`], box };
}

test("a pull reads only what a bundle may hold, changes nothing there, and fetches nothing twice", async () => {
  const { alpha, beta, box } = await savedOnBeta();
  for (const folder of [beta.config, beta.claude])
    writeFileSync(join(folder, "credentials"), "canary-of-beta");
  const there = [contentsOf(beta.config), contentsOf(beta.claude)];
  const dry = json(alpha, ["team", "pull", "beta", "--dry-run"]);
  expect(dry).toMatchObject({
    host: "beta",
    folder: box,
    teams: ["api", "web"],
    isDryRun: true,
    problems: [],
  });
  expect(readdirSync(alpha.home)).toEqual([]);

  const first = hivemind(alpha, ["team", "pull", "beta"]);
  expect(first).toMatchObject({ code: 0 });
  expect(first.stdout).toContain("fetched api, web from beta: 10 files");
  expect(first.stderr).toContain("team restart");
  expect(JSON.stringify(contentsOf(alpha.root))).not.toContain("canary-of-beta");
  expect([contentsOf(beta.config), contentsOf(beta.claude)]).toEqual(there);
  const again = json<{ fetched: object }>(alpha, ["team", "pull", "beta"]);
  expect(again.fetched).toEqual({ files: 0, bytes: 0 });

  expect(hivemind(alpha, ["team", "pull", "beta", "--team", "api"]).stdout).toContain(
    "fetched api from beta",
  );
  expect(readdirSync(join(alpha.config, "hivemind.pulled"))).toEqual(["beta", "beta.api"]);
  const nobody = hivemind(alpha, ["team", "pull", "beta", "--team", "ops"]);
  expect(nobody).toMatchObject({ code: 1, stdout: "" });
  expect(nobody.stderr).toContain('beta: nothing is stored for a team "ops"\n  on beta: there are: api, web');

  farProgram(beta, "hivemind", [
    `echo 'hivemind moving {"protocol":1,"version":"x"}'`,
    "touch asked",
    "exec sleep 60",
  ]);
  const stopping = begin(alpha, ["team", "pull", "beta"]);
  await until("the other host is asked", () => readdirSync(beta.home).includes("asked"));
  process.kill(stopping.pid, "SIGINT");
  expect(await stopping.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("hivemind: interrupted"),
  });
});

test("teams start here from a pulled folder, as forks, and only once", async () => {
  const { alpha, beta, map, box } = await savedOnBeta();
  expect(hivemind(alpha, ["team", "pull", "beta"]).code).toBe(0);
  const restart = (...args: string[]) => hivemind(alpha, ["team", "restart", box, ...map, ...args]);
  const dry = restart("--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain(`a fork of ${idOf(1)}, in ${join(alpha.work, "web.lead")}`);
  expect(Object.keys(contentsOf(alpha.claude))).toEqual([]);

  expect(hivemind(alpha, ["agent", "restart", "--from-dir", box, "builder", ...map])).toMatchObject({
    code: 0,
  });
  expect(panesOf(alpha).map(({ pane, role }) => [pane, role])).toEqual([["web:0.0", "builder"]]);
  const placed = join(
    alpha.claude,
    "projects",
    projectSlug(join(alpha.work, "web.builder")),
    `${idOf(2)}.jsonl`,
  );
  expect(readFileSync(placed, "utf8")).toContain(`"cwd":"${join(alpha.work, "web.builder")}"`);
  const builder = panesOf(alpha)[0]!.uuid!;

  const one = restart("--team", "web");
  expect(one).toMatchObject({ code: 0 });
  expect(one.stdout).toContain("web from");
  const running = panesOf(alpha);
  expect(running.map(({ role }) => role).sort()).toEqual(["builder", "lead"]);
  expect(running.find(({ role }) => role === "builder")!.uuid).toBe(builder);
  const all = restart();
  expect(all).toMatchObject({ code: 0 });
  expect(all.stdout).toMatch(/^api from .*1 agent started/m);
  expect(all.stdout).toMatch(/^web: nothing to do$/m);
  expect(panesOf(alpha)).toHaveLength(3);
  expect(panesOf(beta)).toHaveLength(3);
  const parents = json<{ rows: object[] }>(alpha, ["forks", "list", "--uuid", builder]).rows;
  expect(parents[0]).toMatchObject({ parent: idOf(2) });
});

test("a conversation with different continuations, or one that is open elsewhere, is refused, and nothing is placed", async () => {
  const { alpha, map, box } = await savedOnBeta({ web: fleet.web! });
  expect(hivemind(alpha, ["team", "pull", "beta"]).code).toBe(0);
  const slug = projectSlug(join(alpha.work, "web.builder"));
  mkdirSync(join(alpha.claude, "projects", slug), { recursive: true });
  appendFileSync(join(alpha.claude, "projects", slug, `${idOf(2)}.jsonl`), '{"type":"something else"}\n');
  const before = contentsOf(alpha.claude);
  const refused = hivemind(alpha, ["team", "restart", box, ...map]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`session ${idOf(2)} has different continuations here and there`);
  expect(contentsOf(alpha.claude)).toEqual(before);
  expect(panesOf(alpha)).toEqual([]);
  rmSync(join(alpha.claude, "projects"), { recursive: true });
  const elsewhere = { ...testHome(), claude: alpha.claude };
  const hand = startAgent(elsewhere, ["--session-id", idOf(1)], { env: alpha.env, cwd: alpha.work });
  await hand.becomes("idle");
  const held = hivemind(alpha, ["team", "restart", box, ...map, "--same", "--dry-run"]);
  expect(held).toMatchObject({ code: 1, stdout: "" });
  expect(held.stderr).toContain(`session ${idOf(1)} is open already: outside this tmux, process ${hand.pid}`);

  expect(hivemind(alpha, ["team", "restart", box, "--team", "ops"]).stderr).toContain(
    'the bundle has no team "ops"',
  );
  expect(hivemind(alpha, ["team", "restart", "web", "--same"])).toMatchObject({ code: 2 });
  const nobody = hivemind(alpha, ["agent", "restart", "--from-dir", box, "boss"]);
  expect(nobody.stderr).toContain("there are: lead, builder");
});
