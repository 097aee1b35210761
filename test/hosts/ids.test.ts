// The ids of agents on the host they come to, from a copied folder.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { killServer, startFleet } from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";

const fleet = { web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "dev"] }] };

const agentsOf = ({ env }: TestHome) => openStores(env).roster.read().agents;
const idsOf = (home: TestHome) =>
  Object.fromEntries(agentsOf(home).map(({ role, id }): [string, string] => [role!, id]));

/** A team of another host that has ended there, as a folder here. */
async function copied(isSaved: boolean) {
  const [alpha, beta] = [testHome(), testHome()];
  await startFleet(beta, fleet);
  if (isSaved) expect(hivemind(beta, ["teams", "save"]).code).toBe(0);
  await killServer(beta);
  const folder = join(alpha.root, "beta");
  cpSync(beta.config, folder, { recursive: true, verbatimSymlinks: true });
  cpSync(join(beta.claude, "projects"), join(folder, "projects"), { recursive: true });
  for (const name of readdirSync(beta.work)) mkdirSync(join(alpha.work, name));
  const map = `${beta.work}=${alpha.work}`;
  const restart = (...args: string[]) =>
    hivemind(alpha, ["team", "restart", folder, "--map", map, "--same", ...args]);
  return { alpha, beta, folder, restart };
}

test.each([
  ["saved", true],
  ["never saved", false],
])("the agents of a team that was %s keep their ids on another host", async (_, isSaved) => {
  const { alpha, beta, restart } = await copied(isSaved);
  expect(restart()).toMatchObject({ code: 0 });
  expect(idsOf(alpha)).toEqual(idsOf(beta));
  expect(agentsOf(alpha).every(({ seat }) => seat !== null)).toBe(true);
  expect(restart()).toMatchObject({ code: 0, stdout: "web: nothing to do\n" });
  expect(idsOf(alpha)).toEqual(idsOf(beta));
});

test("an id that was forgotten here is not reused, and the output says so", async () => {
  const { alpha, beta, restart } = await copied(true);
  expect(restart()).toMatchObject({ code: 0 });
  await killServer(alpha);
  expect(hivemind(alpha, ["agent", "forget", "lead"]).code).toBe(0);
  const { lead, dev } = idsOf(beta);
  const again = restart();
  expect(again).toMatchObject({ code: 0 });
  const now = idsOf(alpha);
  expect(now.dev).toBe(dev);
  expect(now.lead).not.toBe(lead);
  expect(again.stderr).toContain(`lead: its id ${lead} was forgotten here, so it gets @${now.lead}`);
});

test("an agent that could not be started is away, and comes back by its id", async () => {
  const { alpha, beta, restart } = await copied(true);
  rmSync(join(alpha.work, "web.dev"), { recursive: true });
  expect(restart().code).toBe(1);
  const { dev } = idsOf(beta);
  expect(agentsOf(alpha).find(({ id }) => id === dev)).toMatchObject({ role: "dev", seat: null });
  mkdirSync(join(alpha.work, "web.dev"));
  expect(hivemind(alpha, ["agent", "restart", `@${dev}`])).toMatchObject({ code: 0 });
  expect(agentsOf(alpha).find(({ id }) => id === dev)).toMatchObject({ session: idOf(2) });
});

test("agents of a folder of hivemind 0.1 get ids here", async () => {
  const { alpha, folder, restart } = await copied(true);
  rmSync(join(folder, "hivemind.agents.env"));
  rmSync(join(folder, "hivemind.views"), { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.includes(".snapshot."))) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/^# agent .*\n/gm, ""));
  }
  const { code, stderr } = restart();
  expect([code, stderr.includes("so it gets @")]).toEqual([0, false]);
  expect(agentsOf(alpha).map(({ role, session }) => [role, session])).toEqual([
    ["lead", idOf(1)],
    ["dev", idOf(2)],
  ]);
});
