import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { type Repaired, repairAll } from "../../src/reconcile/apply.js";
import { lookAt } from "../../src/reconcile/look.js";
import { TmuxError } from "../../src/tmux/error.js";
import { tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";

const files = { roles: "a:0.0|po\na:0.1|old\n", teams: "a|\n" };

/** Repairs the stores of a team with one pane; each of `acts` is done before one look. */
async function repaired(home: TestHome, ...acts: readonly (() => void)[]): Promise<Repaired> {
  tmuxTeam(home, "a");
  mkdirSync(home.config);
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(home.config, `hivemind.${name}.env`), text);
  const real = openHive({ env: home.env }).reconcileWorld({ progress: () => {}, note: () => {} });
  const left = [...acts];
  const observe = () => {
    left.shift()?.();
    return real.observe();
  };
  const world = { ...real, observe };
  return repairAll(world, await lookAt(world, null), { only: null, dropsBroken: true });
}

const nothing = () => {};
const rolesOf = (home: TestHome) => contentsOf(home.config)["hivemind.roles.env"];

test("[RA1] a row that two looks find wrong is removed, and nothing else (incident 5)", async () => {
  const home = testHome();
  const { repaired: done, after } = await repaired(home);
  expect(done.map(({ key }) => key)).toEqual(["a:0.1"]);
  expect(after.violations).toEqual([]);
  expect(rolesOf(home)).toMatch(/^a:0\.0\|po\|\d+\n$/);
  expect(contentsOf(home.config)["hivemind.teams.env"]).toBe(files.teams);
});

test("[RA1] a row that is right at the second look stays (incident 65)", async () => {
  const home = testHome();
  const back = () => void home.tmux("split-window", "-d", "-t", "=a:0.0", "cat");
  expect((await repaired(home, nothing, back)).repaired).toEqual([]);
  expect(rolesOf(home)).toBe(files.roles);
  expect(contentsOf(home.config)["hivemind.events.log"]).toBeUndefined();
});

test("[RA1] a row that another instance wrote meanwhile stays until two looks have seen it (incident 65)", async () => {
  const home = testHome();
  const theirs = "a:0.0|po\na:0.1|new\n";
  const seen: (string | undefined)[] = [];
  const write = () => writeFileSync(join(home.config, "hivemind.roles.env"), theirs);
  const look = () => void seen.push(rolesOf(home));
  await repaired(home, nothing, write, look, look);
  // It survives this round; the next one has seen it twice.
  expect(seen).toEqual([theirs, theirs]);
});

test("[RA2] a failed look ends the repair with nothing written (incident 64)", async () => {
  const home = testHome();
  const fail = () => {
    throw new TmuxError("failed", "tmux list-panes: lost server");
  };
  await expect(repaired(home, nothing, fail)).rejects.toThrow("lost server");
  expect(rolesOf(home)).toBe(files.roles);
  expect(contentsOf(home.config)["hivemind.events.log"]).toBeUndefined();
});

test("[RA2] no row is removed if the tmux server ends between two looks", async () => {
  const home = testHome();
  await repaired(home, nothing, () => void home.tmux("kill-server"));
  expect(contentsOf(home.config)).toMatchObject({
    "hivemind.roles.env": files.roles,
    "hivemind.teams.env": files.teams,
  });
});
