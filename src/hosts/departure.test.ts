import { expect, test } from "vitest";
import { fleetOf, pane, transcript } from "../../test/fleet/made.js";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { Holder } from "../fleet/identity/holders.js";
import type { Fleet } from "../fleet/observe.js";
import type { TeamName } from "../names/gates.js";
import { openStores } from "../stores/stores.js";
import { goesAsFork, isStill, ownHost, packTeam } from "./departure.js";

const team = "web" as TeamName;
const nobody = null;
const hand: Holder = { session: idOf(1), pid: 4242, pane: "hand:0.0", how: "registry" };

test.each([
  ["runs here, and continues", true, nobody, null, false, true],
  ["runs here, and will be ended", true, nobody, null, true, false],
  ["does not run", false, nobody, null, false, false],
  ["does not run, and forks are requested", false, nobody, true, false, true],
  ["will be ended, and forks are requested", true, nobody, true, true, true],
  ["will be ended, and moves as itself", true, nobody, false, true, false],
  ["does not run, and one of its conversations is open elsewhere", false, hand, null, false, true],
  ["runs here, and one of its conversations is open elsewhere", true, hand, null, false, true],
  [
    "will be ended, one conversation is open elsewhere, and forks are requested",
    true,
    hand,
    true,
    true,
    true,
  ],
])("a team that %s", (_, isRunning, holder, isFork, isDown, wanted) =>
  expect(goesAsFork({ isRunning, holder }, { team, maps: [], isFork, isDown })).toBe(wanted),
);

test.each([
  ["keeps running", true, nobody, false, false, "web runs here"],
  ["does not run, and is open elsewhere,", false, hand, false, false, "hand:0.0, process 4242"],
  ["will be ended, and is open elsewhere too,", true, hand, null, true, "hand:0.0, process 4242"],
  ["does not run, will be ended, and is open elsewhere,", false, hand, null, true, "process 4242"],
])("a team that %s does not move as itself", (_, isRunning, holder, isFork, isDown, words) => {
  const go = () => goesAsFork({ isRunning, holder }, { team, maps: [], isFork, isDown });
  expect(go).toThrow(words);
  expect(go).toThrow("open on both hosts");
});

/** A saved team that does not run, with one agent. */
async function saved() {
  const { env, claude } = testHome();
  const stores = openStores(env);
  const row = { agent: null, window: 0, pane: 0, role: null, title: "", cwd: "/srv/a", model: "" };
  await stores.snapshots.create([{ ...row, team, uuid: idOf(1), kind: "claude" }], { isAutosave: false });
  const path = writeTranscript(transcriptPath(claude, idOf(1)), user("m1"));
  const written = transcript(1, { firstCwd: "/srv/a", lastCwd: "/srv/a" }, { path });
  /** With its session resumed by hand in another tmux session, or not. */
  const look = (isHeld: boolean): Fleet => {
    const found = pane("hand:0.0", { process: { pid: 4242 } as never });
    const fleet = fleetOf([written], isHeld ? [[found, idOf(1), "stable"]] : []);
    const evidence = [
      { source: "registry" as const, uuid: idOf(1), chosen: true, ambiguous: false, reason: "" },
    ];
    const sessions = [...fleet.sessions].map(([id, each]) => [id, { ...each, evidence }] as const);
    return { ...fleet, sessions: new Map(sessions) };
  };
  const choice = { team, maps: [{ from: "/srv", to: "/home/b" }], isFork: null, isDown: false };
  const world = (isHeld: boolean) => ({ env, stores, observe: async () => look(isHeld) });
  return { world, choice, look };
}

test("a conversation that was resumed by hand elsewhere is found and reported with its process", async () => {
  const { world, choice } = await saved();
  const { isFork, box } = await packTeam(world(true), choice);
  expect(isFork).toBe(true);
  expect(box.problems).toEqual([`sending forks: session ${idOf(1)} is open in hand:0.0, process 4242`]);
  await expect(packTeam(world(true), { ...choice, isDown: true })).rejects.toThrow("hand:0.0, process 4242");
});

test("a conversation opened here during the transfer keeps the team from moving as itself", async () => {
  const { world, choice, look } = await saved();
  const left = await packTeam(world(false), choice);
  expect(left.isFork).toBe(false);
  expect(isStill(world(false), look(false), choice, left)).toBe(true);
  expect(isStill(world(true), look(true), choice, left)).toBe(false);
});

test("the target folders of its transcripts are known before they are sent", async () => {
  const { world, choice } = await saved();
  const { landings, box } = await packTeam(world(false), choice);
  const { sizeBytes } = box.page.files.find(({ path }) => path.startsWith("projects/"))!;
  expect(landings).toEqual([{ id: idOf(1), sizeBytes, from: "/srv/a", to: "/home/b/a" }]);
});

test.each([
  ["vm", "vm"],
  ["a.example.org", "a.example.org"],
  ["-x", "x"],
  ["..", "host"],
  ["ä b", "b"],
  ["x".repeat(100), "x".repeat(64)],
])("a host named %j is called %s on others", (name, wanted) => expect(ownHost(name)).toBe(wanted));
