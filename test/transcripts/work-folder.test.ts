import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { windowsOf } from "../../src/fleet/activity/context.js";
import { listSessionsIn, type SessionEntry } from "../../src/fleet/sessions/session-list.js";
import { limits } from "../../src/limits.js";
import type { SessionId } from "../../src/names/gates.js";
import { openWorkspace } from "../../src/names/workspace.js";
import { type Index, openIndex } from "../../src/transcripts/index.js";
import { type LineageClaim, lineage, lineageSessions } from "../../src/transcripts/lineage/lineage.js";
import { fleetOf } from "../fleet/made.js";
import { testHome } from "../home.js";
import { rootIn } from "./files.js";
import { tellStory, workFolders } from "./story.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => vi.useRealTimers());

type Folder = (typeof workFolders)[number];

function world() {
  const { claude, root } = testHome();
  const story = tellStory(claude);
  const account = `${root}/account/`;
  const roots = [rootIn(claude), rootIn(account)];
  let naive = 0;
  const kept = `${root}/cache`;

  /** What `hivemind sessions` shows. */
  async function shown(transcripts: ReturnType<typeof openIndex>, index: Index, folder: Folder) {
    const fleet = { ...fleetOf(index.transcripts), index };
    const entries = listSessionsIn(openWorkspace(folder), fleet, windowsOf({}));
    const claims = story.links.map(
      ([parent, child]): LineageClaim => ({ parent, child, source: "forksFile" }),
    );
    const edges = lineage(lineageSessions(index.byId), await transcripts.kinship(index), claims);
    const ids = new Set<SessionId>(entries.map(({ id }) => id));
    const own = edges.filter(({ child }) => ids.has(child));
    return { entries: entries.map(plain), edges: own.sort((a, b) => (a.child < b.child ? -1 : 1)) };
  }

  async function list(folder: Folder, sessions: readonly SessionId[] = []) {
    const transcripts = openIndex({ roots, cacheDir: kept });
    const index = await transcripts.refreshFor({
      workFolder: folder,
      isWorkFolder: (cwd) => cwd === folder,
      sessions,
      links: () => story.links,
    });
    return { ...(await shown(transcripts, index, folder)), isPart: index.part !== undefined, index };
  }

  /** From every file, read anew. */
  async function whole(folder: Folder) {
    const transcripts = openIndex({ roots, cacheDir: `${root}/naive${naive++}` });
    return shown(transcripts, await transcripts.refresh(), folder);
  }

  return { story, account, kept, list, whole };
}

function plain({ workspace, ...entry }: SessionEntry) {
  return { ...entry, workspace: workspace?.path };
}

/** Long enough after the last record that the part is certain. */
const later = limits.recordsSettleMs + 1_000;

/** A fork and its original in other folders, and two conversations that have nothing to do with them. */
function family() {
  const made = world();
  const { story } = made;
  const original = story.begin("/srv/b");
  const child = story.fork(original, "/srv/a", true);
  const other = story.begin("/srv/b");
  story.pass(later);
  return { ...made, original, child, other };
}

test("a list needs its own transcripts and those of their relatives", async () => {
  const { list, original, child } = family();
  expect((await list("/srv/a")).isPart).toBe(false);
  const { isPart, index, edges } = await list("/srv/a");
  expect(isPart).toBe(true);
  expect([...index.byId.keys()].sort()).toEqual([original.id, child.id].sort());
  expect(edges).toMatchObject([{ parent: original.id, child: child.id }]);
});

test.each<[string, (made: ReturnType<typeof family>) => unknown, boolean]>([
  ["nothing happens", () => {}, true],
  ["an own conversation goes on", ({ story, child }) => story.say(child), true],
  ["a relative goes on", ({ story, original }) => story.say(original), true],
  ["another one goes on", ({ story, other }) => story.say(other), true],
  ["a title changes", ({ story, child }) => story.rename(child, "new"), true],
  ["an own conversation is compacted", ({ story, child }) => story.compact(child), false],
  ["a conversation begins elsewhere", ({ story }) => story.begin("/srv/b"), false],
  ["another one is removed", ({ story, other }) => story.remove(other), false],
  ["another one moves here", ({ story, other }) => story.move(other, "/srv/a"), false],
  ["a link leads to another one", ({ story, other, child }) => story.link(other, child), false],
  ["the cache is old", ({ story }) => story.pass(limits.fullLookMs + 1), false],
  ["the clock goes back", ({ story }) => story.pass(-limits.fullLookMs), false],
])("every file is looked at only where it is necessary: %s", async (_, happens, isPart) => {
  const made = family();
  await made.list("/srv/a");
  expect((await made.list("/srv/a")).isPart).toBe(true);
  happens(made);
  made.story.pass(10);
  const { index, ...found } = await made.list("/srv/a");
  expect(found).toEqual({ ...(await made.whole("/srv/a")), isPart });
});

test("a list is cached only after records had the time to reach the disk", async () => {
  const { story, list } = world();
  story.begin("/srv/a");
  story.pass(limits.recordsSettleMs - 1_000);
  await list("/srv/a");
  expect((await list("/srv/a")).isPart).toBe(false);
  story.pass(2_000);
  await list("/srv/a");
  expect((await list("/srv/a")).isPart).toBe(true);
});

test("a list is cached only after its folders were the same for a while", async () => {
  const { story, list, other } = family();
  story.move(other, "/srv/a");
  story.pass(limits.folderSettleMs - 500);
  await list("/srv/a");
  expect((await list("/srv/a")).isPart).toBe(false);
  story.pass(1_000);
  await list("/srv/a");
  expect((await list("/srv/a")).isPart).toBe(true);
});

test("links that lead too far need every file", async () => {
  const { story, list, whole } = world();
  const first = story.begin("/srv/a");
  const line = [first, ...Array.from({ length: limits.linkRounds }, () => story.begin("/srv/b"))];
  // In this order each round follows one link.
  for (let at = line.length - 2; at >= 0; at--) story.link(line[at + 1]!, line[at]!);
  story.pass(later);
  await list("/srv/a");
  const { isPart, index, ...found } = await list("/srv/a");
  expect(isPart).toBe(false);
  expect(found).toEqual(await whole("/srv/a"));
  story.links.shift();
  await list("/srv/a");
  expect((await list("/srv/a")).isPart).toBe(true);
});

test("a fork has its parent though its original was late to the disk", async () => {
  const { story, list, whole } = world();
  const original = story.begin("/srv/b");
  story.pass(later);
  story.forkOfCompacted(original, "/srv/a", 14_000);
  story.pass(limits.folderSettleMs + 1_000);
  expect((await list("/srv/a")).edges).toEqual([]);
  story.pass(14_000);
  const { edges } = await list("/srv/a");
  expect(edges).toMatchObject([{ parent: original.id }]);
  expect(edges).toEqual((await whole("/srv/a")).edges);
});

test("a cleared session has its parent of another folder from its first answer on", async () => {
  const { story, list } = world();
  const first = story.begin("/srv/b");
  story.pass(1_000);
  const before = story.clear(first, "/srv/b", true);
  story.pass(1_000);
  const cleared = story.clear(before, "/srv/a", false);
  story.pass(later);
  await list("/srv/a");
  expect(await list("/srv/a")).toMatchObject({ isPart: true, edges: [] });
  story.say(cleared);
  story.pass(1_000);
  expect((await list("/srv/a")).edges).toMatchObject([{ parent: before.id, kind: "clear" }]);
});

test("a conversation that is silent so far may begin in any folder", async () => {
  const { story, list } = world();
  const silent = story.beginSilent("/srv/b");
  story.pass(later);
  await list("/srv/a");
  expect(await list("/srv/a")).toMatchObject({ isPart: true, entries: [] });
  story.say(silent, "/srv/a");
  story.pass(1_000);
  expect((await list("/srv/a")).entries).toMatchObject([{ id: silent.id }]);
});

test("a relative may be in the folder of another account", async () => {
  const { story, account, list, whole, original, child } = family();
  const folder = join(account, "projects", "-srv-a");
  mkdirSync(folder, { recursive: true });
  renameSync(child.path, join(folder, `${child.id}.jsonl`));
  child.path = join(folder, `${child.id}.jsonl`);
  story.pass(later);
  await list("/srv/a");
  const { isPart, index, ...found } = await list("/srv/a");
  expect([isPart, index.transcripts.length]).toEqual([true, 2]);
  expect(found).toEqual(await whole("/srv/a"));
  expect(found).toMatchObject({ entries: [{ folder: account }], edges: [{ parent: original.id }] });
  story.say(child);
  expect((await list("/srv/a")).entries).toMatchObject([{ messages: 6 }]);
});

test("the parents of a part are cached as a whole, until a file of it changes", async () => {
  const { story, kept, list, whole, child } = family();
  await list("/srv/a");
  await list("/srv/a");
  const name = readdirSync(kept).find((each) => each.startsWith("kinship-"))!;
  // Without the caches of the families only this one has the answer.
  for (const each of readdirSync(kept)) if (/^(kinship\.|chains-)/.test(each)) rmSync(join(kept, each));
  const { edges } = await list("/srv/a");
  expect(edges).toEqual((await whole("/srv/a")).edges);
  expect(readdirSync(kept)).not.toContain("kinship.json");
  expect(readdirSync(kept)).toContain(name);
  story.say(child);
  story.pass(limits.kinshipQuietMs + 1_000);
  expect((await list("/srv/a")).edges).toEqual((await whole("/srv/a")).edges);
  expect(readdirSync(kept)).toContain("kinship.json");
});

test("a session of a pane is needed wherever it is", async () => {
  const { list, other } = family();
  await list("/srv/a");
  expect((await list("/srv/a", [other.id])).isPart).toBe(false);
  const { isPart, index } = await list("/srv/a", [other.id]);
  expect([isPart, index.byId.has(other.id)]).toEqual([true, true]);
});

test("a folder without conversations has a list too", async () => {
  const { list } = world();
  await list("/srv/a");
  expect(await list("/srv/a")).toMatchObject({ isPart: true, entries: [], edges: [] });
});

const steps = [
  ...["begin", "silent", "elsewhere", "say", "cd", "rename", "compact", "fork", "quietFork", "branch"],
  ...["clear", "silentClear", "lateFork", "twin", "remove", "move", "link"],
] as const;
type Step = (typeof steps)[number];

const step = fc.record({
  step: fc.constantFrom(...(steps as readonly Step[])),
  one: fc.nat(50),
  other: fc.nat(50),
  folder: fc.constantFrom(...workFolders),
  otherFolder: fc.constantFrom(...workFolders),
  passesMs: fc.constantFrom(10, 3_000, 14_000, later, 20 * 60_000),
});

const stories = Number(process.env.HIVEMIND_STORIES ?? 25);

test("[WF1] a list is the same from its part as from every file, whatever happens", {
  timeout: 60_000 + stories * 300,
}, async () => {
  let parts = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (told) => {
      const { story, list, whole } = world();
      for (const folder of workFolders) story.begin(folder);
      for (const { step, one, other, folder, otherFolder, passesMs } of told) {
        const at = (place: number) => story.all[place % story.all.length]!;
        const [first, second] = [at(one), at(other)];
        if (step === "begin") story.begin(folder);
        else if (step === "silent") story.beginSilent(folder);
        else if (step === "elsewhere") story.beginElsewhere(folder, otherFolder);
        else if (step === "say") story.say(first);
        else if (step === "cd") story.say(first, folder);
        else if (step === "rename") story.rename(first, `t${other % 3}`);
        else if (step === "compact") story.compact(first);
        else if (step === "fork") story.fork(first, folder, true);
        else if (step === "quietFork") story.fork(first, folder, false);
        else if (step === "branch") story.branch(first);
        else if (step === "clear") story.clear(first, folder, true);
        else if (step === "silentClear") story.clear(first, folder, false);
        else if (step === "lateFork") story.forkOfCompacted(first, folder, other % 2 === 0 ? 100 : 14_000);
        else if (step === "twin") story.twin(first, folder);
        else if (step === "remove" && story.all.length > 1) story.remove(first);
        else if (step === "move") story.move(first, folder);
        else if (step === "link") story.link(first, second);
        story.pass(passesMs);
        for (const each of ["/srv/a", "/srv/b-c"] as const) {
          const { isPart, index, ...found } = await list(each);
          if (isPart) parts++;
          expect(found).toEqual(await whole(each));
        }
      }
    }),
    { numRuns: stories },
  );
  // The property says nothing if every list was made from every file.
  expect(parts).toBeGreaterThan(20);
});
