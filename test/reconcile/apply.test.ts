import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Fleet } from "../../src/fleet/observe.js";
import { openHive } from "../../src/hive.js";
import { type Repaired, repairAll } from "../../src/reconcile/apply.js";
import { lookAt } from "../../src/reconcile/look.js";
import { TmuxError } from "../../src/tmux/error.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";
import { fleetGiven, type GivenPane, id } from "./made.js";

const x = id("a");
const po: Record<string, GivenPane> = { "a:0.0": { title: "po", mark: "a:0.0 po", uuid: x } };
const fleet = (panes: Record<string, GivenPane>) => fleetGiven({ panes });
const files = { roles: "a:0.0|po\na:0.7|old\n", sessions: `a:0.0|${x}\n`, teams: "a|\n" };

/** Repairs the stores while the world looks like this, one look after the other; the last one stays. */
async function repaired(
  home: TestHome,
  [first, ...looks]: readonly (() => Fleet)[],
  stored: Partial<typeof files> = {},
): Promise<Repaired> {
  mkdirSync(home.config);
  for (const [name, text] of Object.entries({ ...files, ...stored }))
    writeFileSync(join(home.config, `hivemind.${name}.env`), text);
  const silent = { progress: () => {}, note: () => {} };
  let next = first!;
  const observe = async () => {
    const seen = next();
    next = looks.shift() ?? next;
    return seen;
  };
  const world = { ...openHive({ env: home.env }).reconcileWorld(silent), observe };
  return repairAll(world, await lookAt(world, null), { only: null, dropsBroken: true });
}

test("[RA1] a row that two looks say is wrong goes, and nothing else (incident 5)", async () => {
  const home = testHome();
  const { repaired: done, after } = await repaired(home, [() => fleet(po)]);
  expect(done.map(({ key }) => key)).toEqual(["a:0.7"]);
  expect(after.violations).toEqual([]);
  expect(contentsOf(home.config)["hivemind.roles.env"]).toBe("a:0.0|po\n");
  expect(contentsOf(home.config)["hivemind.sessions.env"]).toBe(files.sessions);
});

test("[RA1] what the second look does not see any more stays (incident 65)", async () => {
  const home = testHome();
  const back = { ...po, "a:0.7": { title: "old", mark: "a:0.7 old" } };
  expect((await repaired(home, [() => fleet(po), () => fleet(back)])).repaired).toEqual([]);
  expect(contentsOf(home.config)["hivemind.roles.env"]).toBe(files.roles);
  expect(contentsOf(home.config)["hivemind.events.log"]).toBeUndefined();
});

test("[RA1] a row that another instance wrote meanwhile stays until it was looked at twice (incident 65)", async () => {
  const home = testHome();
  const theirs = "a:0.0|po\na:0.7|new\n";
  const seen: string[] = [];
  const writing = () => {
    writeFileSync(join(home.config, "hivemind.roles.env"), theirs);
    return fleet(po);
  };
  const looking = () => {
    seen.push(contentsOf(home.config)["hivemind.roles.env"]!);
    return fleet(po);
  };
  await repaired(home, [() => fleet(po), writing, looking]);
  // Through the rest of this round; the next one has seen it twice.
  expect(seen[0]).toBe(theirs);
  expect(seen[1]).toBe(theirs);
});

test("[RA2] a look that fails ends the repair with nothing written (incident 64)", async () => {
  const home = testHome();
  const failing = () => {
    throw new TmuxError("failed", "tmux list-panes: lost server");
  };
  await expect(repaired(home, [() => fleet(po), failing])).rejects.toThrow("lost server");
  expect(contentsOf(home.config)).toMatchObject({ "hivemind.roles.env": files.roles });
  expect(contentsOf(home.config)["hivemind.events.log"]).toBeUndefined();
});

test("[RA2] a tmux server that went away between two looks takes no row with it", async () => {
  const home = testHome();
  await repaired(home, [() => fleet(po), () => fleetGiven({ hasServer: false })]);
  expect(contentsOf(home.config)).toMatchObject({
    "hivemind.roles.env": files.roles,
    "hivemind.teams.env": files.teams,
  });
});
