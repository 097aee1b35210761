import { expect, test } from "vitest";
import { fleetOf, pane, transcript } from "../../test/fleet/made.js";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { Holder } from "../fleet/holders.js";
import type { Fleet } from "../fleet/observe.js";
import type { TeamName } from "../names/gates.js";
import { openStores } from "../stores/stores.js";
import { goesAsFork, isStill, ownHost, packTeam } from "./departure.js";

const team = "web" as TeamName;
const nobody = null;
const hand: Holder = { session: idOf(1), pid: 4242, pane: "hand:0.0", how: "registry" };

test.each([
  ["runs here, and goes on", true, nobody, null, false, true],
  ["runs here, and is to end", true, nobody, null, true, false],
  ["does not run", false, nobody, null, false, false],
  ["does not run, and forks are wanted", false, nobody, true, false, true],
  ["is to end, and forks are wanted", true, nobody, true, true, true],
  ["is to end, and goes as itself", true, nobody, false, true, false],
  ["does not run, and somebody has a conversation of it open", false, hand, null, false, true],
  ["runs here, and somebody else has a conversation of it open", true, hand, null, false, true],
  ["is to end, while somebody else has one open, and forks are wanted", true, hand, true, true, true],
])("[MIG3] a team that %s", (_, isRunning, holder, isFork, isDown, wanted) =>
  expect(goesAsFork({ isRunning, holder }, { team, maps: [], isFork, isDown })).toBe(wanted),
);

test.each([
  ["runs on", true, nobody, false, false, "web runs here"],
  ["does not run, and is open elsewhere,", false, hand, false, false, "hand:0.0, process 4242"],
  ["is to end, and is open elsewhere too,", true, hand, null, true, "hand:0.0, process 4242"],
  ["does not run, is to be ended, and is open elsewhere,", false, hand, null, true, "process 4242"],
])("[MIG3] a team that %s does not go as itself", (_, isRunning, holder, isFork, isDown, words) => {
  const go = () => goesAsFork({ isRunning, holder }, { team, maps: [], isFork, isDown });
  expect(go).toThrow(words);
  expect(go).toThrow("open on both hosts");
});

/** A saved team that does not run, with one agent. */
async function saved() {
  const { env, claude } = testHome();
  const stores = openStores(env);
  const row = { window: 0, pane: 0, role: null, title: "", cwd: "/srv/a", model: "" };
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

test("[MIG3] a conversation of it that was resumed by hand elsewhere is found, and who has it is named", async () => {
  const { world, choice } = await saved();
  const { isFork, box } = await packTeam(world(true), choice);
  expect(isFork).toBe(true);
  expect(box.problems).toEqual([`forks go: session ${idOf(1)} is open in hand:0.0, process 4242`]);
  await expect(packTeam(world(true), { ...choice, isDown: true })).rejects.toThrow("hand:0.0, process 4242");
});

test("[MIG3] one that is opened here while the team is sent keeps it from going as itself", async () => {
  const { world, choice, look } = await saved();
  const left = await packTeam(world(false), choice);
  expect(left.isFork).toBe(false);
  expect(isStill(world(false), look(false), choice, left)).toBe(true);
  expect(isStill(world(true), look(true), choice, left)).toBe(false);
});

test("[MIG2] where its transcripts would lie there is told before they are sent", async () => {
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
])("a host that calls itself %j is %s to others", (name, wanted) => expect(ownHost(name)).toBe(wanted));
