import { expect, test } from "vitest";
import type { SessionArguments } from "../../agents/launch.js";
import type { ProcessInfo } from "../../base/system/process.js";
import type { ChangeCause } from "../../events/event.js";
import type { SessionId } from "../../names/gates.js";
import type { LineageClaim } from "../../transcripts/lineage/lineage.js";
import { type Facts, noFacts, type Transcript } from "../../transcripts/transcript.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { edgesOf } from "./lineage-of.js";
import { type ChangeFacts, causeOf, clearedInto, parentOf } from "./parent-of.js";

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;
const [a, b, c, d] = [id("a"), id("b"), id("c"), id("d")] as const;
const startedAtMs = 1_000_000;

interface Given {
  uuid?: SessionId | null;
  before?: SessionId;
  args?: Partial<SessionArguments>;
  /** Facts of b, the pane's session; absent before its first message. */
  own?: Partial<Facts> & { bornAtMs?: number };
  others?: Record<SessionId, Partial<Facts>>;
  /** Sessions in other panes. */
  elsewhere?: SessionId[];
  recorded?: SessionId;
  /** What a hook reported: the session before b, and why it was left. */
  hook?: [SessionId, ChangeCause];
  /** The session that b shares messages with. */
  kin?: SessionId;
  /** Which of the two is older was inferred. */
  isGuess?: boolean;
}

function factsOf({
  uuid = b,
  before,
  args,
  own,
  others = {},
  hook,
  recorded,
  elsewhere = [],
}: Given): ChangeFacts {
  const transcript = (id: string, facts: Partial<Facts>, bornAtMs: number) =>
    [{ id, facts: { ...noFacts(), isRooted: true, ...facts }, bornAtMs }] as unknown as Transcript[];
  const known = new Map(
    Object.entries(others).map(([each, facts]) => [each as SessionId, transcript(each, facts, 0)]),
  );
  if (own !== undefined) known.set(b, transcript(b, own, own.bornAtMs ?? startedAtMs + 1));
  const nothing = { began: null, forkedFrom: null, model: null, name: null };
  return {
    pane: {
      id: "%1",
      arguments: { ...nothing, ...args },
      process: { startedAtMs } as ProcessInfo,
    } as unknown as FleetPane,
    uuid,
    before: before ?? null,
    index: { byId: known },
    recordedParent: (of) => (of === b ? recorded : undefined) ?? null,
    isHeldElsewhere: (of) => elsewhere.includes(of),
    changes: hook ? [{ pane: "%1", old: hook[0], new: b, cause: hook[1], atMs: 1 }] : [],
  };
}

/** As a refresh finds it. */
function parentIn(given: Given): SessionId | null {
  const facts = factsOf(given);
  const { uuid, index, pane } = facts;
  const sessions = new Map([["%1", { uuid }]]);
  const fleet = { panes: [pane], background: [], sessions, index, hooks: facts } as unknown as Fleet;
  const [old, kind] = given.hook ?? [];
  const isDescent = kind === "clear" || kind === "branch" || kind === "compact";
  const told: LineageClaim[] = isDescent ? [{ parent: old!, child: b, source: "hook", kind }] : [];
  const point = { forkPoint: "m", forkPointAtMs: null, inferred: given.isGuess ?? false };
  const kin = { ...point, inheritsOrigin: false, isSibling: false };
  const kinship = new Map(given.kin ? [[b, { parent: given.kin, ...kin }]] : []);
  const edges = edgesOf(fleet, kinship, { parents: new Map() }, [...told, ...clearedInto(facts)]);
  return parentOf(facts, edges.find(({ child }) => child === uuid) ?? null);
}

/** Of one title and folder, silent this many milliseconds after the process began. */
const spoke = (lastMs: number): Partial<Facts> => ({
  title: "lead",
  firstCwd: "/a",
  lastAtMs: startedAtMs + lastMs,
});
const clearedLate = { ...spoke(9_000), firstAtMs: startedAtMs + 5_000, beginsWithClear: true };

const copied = { forkedFrom: { sessionId: a, message: "m" } };

test.each<[string, Given, SessionId | null]>([
  ["its copied records, before a hook's report", { before: d, own: copied, hook: [c, "clear"] }, a],
  ["the session it shares messages with, before a recorded parent", { own: {}, kin: a, recorded: d }, a],
  ["a recorded parent, before a guess", { own: {}, kin: a, isGuess: true, recorded: d }, d],
  ["no guess, if nothing was recorded", { own: {}, kin: a, isGuess: true }, null],
  [
    "a fork by its arguments, before a guess",
    { args: { began: b, forkedFrom: d }, own: {}, kin: a, isGuess: true },
    d,
  ],
  [
    "the session before it by a hook's report, before the pane's row",
    { before: d, own: { beginsWithClear: true }, hook: [c, "clear"] },
    c,
  ],
  ["none for a session that a hook saw resumed", { before: a, hook: [a, "resume"] }, null],
  ["the session left by /clear", { before: a, own: { beginsWithClear: true } }, a],
  [
    "the recorded parent of a session cleared long before this process",
    { before: a, own: { beginsWithClear: true, bornAtMs: startedAtMs - 1 }, recorded: d },
    d,
  ],
  [
    "none for the same without a record",
    { before: a, own: { beginsWithClear: true, bornAtMs: startedAtMs - 1 } },
    null,
  ],
  [
    "a session cleared elsewhere that a hook saw resumed",
    { before: a, own: { beginsWithClear: true }, hook: [a, "resume"], recorded: d },
    d,
  ],
  [
    "the recorded parent of a session cleared from another, without a report of the resume",
    { before: a, own: { beginsWithClear: true }, recorded: d },
    d,
  ],
  ["the session left by /branch", { before: a, own: copied }, a],
  ["a record of /branch, also later", { before: b, own: copied, recorded: d }, a],
  ["a fork by its arguments", { args: { began: b, forkedFrom: a } }, a],
  ["a fork with a chosen id, before its first message", { args: { forkedFrom: a } }, a],
  [
    "the recorded parent of a cleared session",
    { before: b, own: { beginsWithClear: true, startedAs: c }, recorded: d },
    d,
  ],
  ["a cleared session without a record", { own: { beginsWithClear: true, startedAs: c } }, null],
  ["a root has none, and S5 is not read", { own: { startedAs: b }, recorded: d }, null],
  ["none if nothing is known", { uuid: null, before: a }, null],
  [
    "a session begun by another process is no child of this one's parent",
    { args: { began: c, forkedFrom: a }, own: {} },
    null,
  ],
  [
    "a session that shares nothing with the parent was resumed since",
    { args: { forkedFrom: a }, own: { rootMessage: "x" }, others: { [a]: { rootMessage: "y" } } },
    null,
  ],
  [
    "a session that shares its beginning is the fork",
    { args: { forkedFrom: a }, own: { rootMessage: "x" }, others: { [a]: { rootMessage: "x" } } },
    a,
  ],
  [
    "a session that begins where the parent was compacted is the fork",
    {
      args: { forkedFrom: a },
      own: { rootMessage: "cut" },
      others: { [a]: { rootMessage: "y", boundaries: ["cut"] } },
    },
    a,
  ],
  [
    "the parent itself, resumed in the fork's process, is not its own",
    { uuid: a, args: { forkedFrom: a } },
    null,
  ],
  [
    "a session that begins with the very /clear of the parent is the fork",
    {
      args: { forkedFrom: a },
      own: { rootMessage: "x", beginsWithClear: true },
      others: { [a]: { rootMessage: "x", beginsWithClear: true } },
    },
    a,
  ],
  [
    "a fork whose transcript was deleted continues without its first words",
    {
      args: { forkedFrom: a },
      own: { rootMessage: "later", isRooted: false },
      others: { [a]: { rootMessage: "x" } },
    },
    a,
  ],
  [
    "a session with only a title yet is the fork",
    {
      args: { forkedFrom: a },
      own: { rootMessage: null, isRooted: false },
      others: { [a]: { rootMessage: "x" } },
    },
    a,
  ],
  [
    "a parent whose transcript has lost its words is one",
    { args: { forkedFrom: a }, own: { rootMessage: "x" }, others: { [a]: { rootMessage: null } } },
    a,
  ],
  [
    "a parent whose transcript is gone is one, before a guess by shared words",
    { args: { forkedFrom: a }, own: { rootMessage: "x" }, kin: d, isGuess: true },
    a,
  ],
  [
    "a session written to by a process that began with another was resumed since",
    {
      args: { forkedFrom: a },
      own: { rootMessage: "x", writtenAs: c, writtenAsAtMs: startedAtMs },
      others: { [a]: { rootMessage: "x" } },
    },
    null,
  ],
  [
    "copied answers of another process prove nothing",
    { args: { forkedFrom: a }, own: { writtenAs: a, writtenAsAtMs: startedAtMs - 1 } },
    a,
  ],
  [
    "a session that a hook saw it continue in is not the fork",
    { args: { forkedFrom: a }, hook: [c, "resume"] },
    null,
  ],
  [
    "not the row's session, if another of its title was written to since",
    { before: a, own: clearedLate, others: { [a]: spoke(1), [c]: spoke(3) } },
    null,
  ],
  [
    "nor if that got its title from elsewhere",
    { before: a, own: clearedLate, others: { [a]: { ...spoke(1), title: "other" }, [c]: spoke(3) } },
    null,
  ],
  [
    "nor the session the process itself wrote last, which is a guess",
    {
      before: a,
      own: { ...clearedLate, startedAs: a },
      others: { [a]: spoke(1), [c]: { ...spoke(3), writtenAs: a, writtenAsAtMs: startedAtMs + 3 } },
    },
    null,
  ],
  [
    "the row's session, if the other is in another pane",
    { before: a, own: clearedLate, others: { [a]: spoke(1), [c]: spoke(3) }, elsewhere: [c] },
    a,
  ],
  [
    "the row's session, if the other is another process's",
    {
      before: a,
      own: { ...clearedLate, startedAs: a },
      others: { [a]: spoke(1), [c]: { ...spoke(3), writtenAs: d } },
    },
    a,
  ],
  [
    "the row's session, if the other has another title, folder or time",
    {
      before: a,
      own: clearedLate,
      others: {
        [a]: spoke(1),
        [c]: { ...spoke(3), title: "other" },
        [d]: { ...spoke(3), firstCwd: "/b" },
        [id("e")]: spoke(9_999),
      },
    },
    a,
  ],
  [
    "not the row's session from before the process started",
    { before: a, own: clearedLate, others: { [a]: spoke(-1) } },
    null,
  ],
  [
    "the row's session, if the process was started with it",
    { before: a, args: { began: a }, own: clearedLate, others: { [a]: spoke(-1) } },
    a,
  ],
  ["another conversation in the same pane", { before: a, own: {} }, null],
])("%s", (_, given, expected) => {
  expect(parentIn(given)).toBe(expected);
});

test.each<[ChangeCause, Given]>([
  ["clear", { before: a, own: { beginsWithClear: true } }],
  ["branch", { before: a, own: copied }],
  ["fork", { before: a, args: { forkedFrom: a, began: b } }],
  [
    "fork",
    {
      before: a,
      args: { forkedFrom: a },
      own: { rootMessage: "x", beginsWithClear: true },
      others: { [a]: { rootMessage: "x", beginsWithClear: true } },
    },
  ],
  ["resume", { before: a, own: { bornAtMs: startedAtMs - 1 } }],
  ["resume", { before: a, own: { beginsWithClear: true, bornAtMs: startedAtMs - 1 } }],
  ["resume", { before: a, own: { beginsWithClear: true }, hook: [a, "resume"] }],
  ["resume", { before: a, own: { beginsWithClear: true }, recorded: d }],
  ["clear", { before: a, own: { beginsWithClear: true }, recorded: a }],
  ["unknown", { before: a, hook: [a, "resume"] }],
  ["branch", { before: a, own: copied, hook: [a, "resume"] }],
  ["branch", { before: a, own: { ...copied, beginsWithClear: true } }],
  ["unknown", { before: a, own: {} }],
  ["unknown", { before: a }],
])("a change is %s: %j", (expected, given) => {
  expect(causeOf(factsOf(given))).toBe(expected);
});
