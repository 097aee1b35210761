import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { type Facts, noFacts } from "../transcript.js";
import { type ClearedSession, predecessorsOf } from "./cleared.js";

const id = (name: string) => name as SessionId;
const minute = 60_000;

/** Born with its first record. A process that began in `writtenAs` wrote its last answer. */
function session(name: string, from: number, to: number, facts: Partial<Facts> = {}): ClearedSession {
  const [firstAtMs, lastAtMs] = [from * minute, to * minute];
  const place = { title: "lead", firstCwd: "/a", firstAtMs, lastAtMs, writtenAsAtMs: lastAtMs };
  return { id: id(name), bornAtMs: firstAtMs, facts: { ...noFacts(), ...place, ...facts } };
}

const own = (process: string) => ({ writtenAs: id(process) });
const cleared = (process: string) => ({ ...own(process), startedAs: id(process), beginsWithClear: true });
const silent = { beginsWithClear: true, writtenAsAtMs: null };
const first = session("C", 1, 2, own("C"));

test.each<[string, ClearedSession[], string[]]>([
  ["the first session", [first, session("D", 3, 4, cleared("C"))], ["C>D"]],
  ["the first session, which has no transcript", [session("D", 3, 4, cleared("C"))], ["C>D"]],
  [
    "the previous cleared session",
    [first, session("D", 3, 4, cleared("C")), session("E", 5, 6, cleared("C"))],
    ["C>D", "D>E"],
  ],
  [
    "a resumed session, by its last answer",
    [first, session("X", 0, 4, own("C")), session("E", 5, 6, cleared("C"))],
    ["X>E"],
  ],
  [
    "a branch without messages",
    [
      first,
      session("B", 3, 3, {
        ...own("C"),
        writtenAsAtMs: 2 * minute,
        forkedFrom: { sessionId: id("C"), message: "m" },
        behindCopiesAtMs: 3 * minute,
      }),
      session("E", 5, 6, cleared("C")),
    ],
    ["B>E"],
  ],
  [
    "not a fork that only copied the process's records",
    [first, session("F", 3, 4, { ...own("C"), writtenAsAtMs: 2 * minute }), session("E", 5, 6, cleared("C"))],
    ["C>E"],
  ],
  [
    "not a session that the process wrote to later",
    [session("C", 1, 9, own("C")), session("D", 3, 4, cleared("C"))],
    ["C>D"],
  ],
  [
    "not a session of another process",
    [first, session("D", 3, 4, cleared("P")), session("E", 5, 6, cleared("C"))],
    ["P>D", "C>E"],
  ],
  [
    "a session that was cleared again before its first answer",
    [first, session("D", 3, 3, silent), session("E", 4, 4, silent), session("F", 5, 6, cleared("C"))],
    ["C>D", "D>E", "E>F"],
  ],
  [
    "not a session with another title, folder or time",
    [
      first,
      session("D", 3, 3, { ...silent, title: "other" }),
      session("E", 3, 3, { ...silent, firstCwd: "/b" }),
      session("F", 0, 0, silent),
      session("G", 9, 9, silent),
      session("H", 5, 6, cleared("C")),
    ],
    ["C>H"],
  ],
  [
    "not for a fork of a cleared session, whose file is younger",
    [first, { ...session("D", 3, 9, cleared("C")), bornAtMs: 8 * minute }],
    [],
  ],
  [
    "also for a restored cleared session",
    [first, { ...session("D", 3, 4, cleared("C")), bornAtMs: 99 * minute }],
    ["C>D"],
  ],
  ["nothing without a process", [first, session("D", 3, 3, silent)], []],
])("%s", (_, sessions, expected) => {
  const shown = (all: ClearedSession[]) =>
    [...predecessorsOf(all)].map(([child, parent]) => `${parent}>${child}`);
  expect(shown(sessions).sort()).toEqual(expected.toSorted());
  expect(shown(sessions.toReversed()).sort()).toEqual(expected.toSorted());
});
