import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { noFacts, type Transcript } from "../transcript.js";
import { type LineageClaim, type LineageSession, lineage, lineageSessions } from "./lineage.js";
import { parentsByMessages, type SessionMessages } from "./parent-by-messages.js";

const id = (name: string) => name as SessionId;

type Session = SessionMessages & LineageSession;

/** Messages are named `writer + hour`: `G1` was written in the first hour, by G. A note ends with `n`. */
function session(
  name: string,
  bornHour: number,
  messages: string,
  facts: Partial<Session["facts"]> = {},
): Session {
  const list = messages.split(" ").filter((message) => message !== "");
  return {
    id: id(name),
    bornAtMs: bornHour,
    facts: {
      ...noFacts(),
      rootMessage: list[0] ?? null,
      firstAtMs: hourOf(list[0]),
      lastAtMs: hourOf(list.at(-1)),
      ...facts,
    },
    chain: {
      messages: list,
      timesMs: list.map(hourOf),
      kinds: list.map((message) => (message.endsWith("n") ? "n" : "p")).join(""),
    },
  };
}

function hourOf(message: string | undefined): number | null {
  return message === undefined ? null : hours(Number.parseInt(message.slice(1), 10));
}

const hours = (hour: number) => hour * 3_600_000;
const claim = (
  parent: string,
  child: string,
  source: LineageClaim["source"],
  more: Partial<LineageClaim> = {},
): LineageClaim => ({
  parent: id(parent),
  child: id(child),
  source,
  ...more,
});

function shown(sessions: Session[], claims: LineageClaim[] = []): string[] {
  return lineage(sessions, parentsByMessages(sessions), claims)
    .map(
      ({ parent, child, forkPoint, kind, source, inferred }) =>
        `${parent}>${child} ${kind} at ${forkPoint} by ${source}${inferred ? "?" : ""}`,
    )
    .sort();
}

describe("by shared messages", () => {
  const grandparent = session("G", hours(1), "G1 G2 G5");
  const parent = session("P", hours(3), "G1 G2 P3 P6");
  const child = session("C", hours(4), "G1 G2 P3 C4");

  test("the parent is the first writer of the last message that the child did not write", () => {
    expect(shown([grandparent, parent, child])).toEqual([
      "G>P fork at G2 by sharedMessages",
      "P>C fork at P3 by sharedMessages",
    ]);
  });

  test("a fork of a fork at a point before the first fork comes from the original", () => {
    expect(shown([grandparent, parent, session("C", hours(7), "G1 C7")])).toContain(
      "G>C fork at G1 by sharedMessages",
    );
  });

  test("without a deleted ancestor the nearest session with the messages is the parent, as a guess", () => {
    expect(shown([grandparent, child])).toEqual(["G>C fork at G2 by sharedMessages?"]);
    const brother = session("D", hours(5), "G1 G2 P3 D5");
    expect(shown([grandparent, child, brother])).toEqual([
      "G>C fork at G2 by sharedMessages?",
      "G>D fork at G2 by sharedMessages?",
    ]);
    expect(shown([grandparent, child], [claim("P", "C", "arguments")])).toEqual([
      "P>C fork at null by arguments",
    ]);
  });

  test("of two copies of a deleted session neither is the parent of the other", () => {
    const copies = [session("C", hours(4), "P3 C4"), session("D", hours(5), "P3 D5")];
    expect(shown(copies)).toEqual([]);
    expect(shown(copies, [claim("P", "C", "forksFile")])).toEqual([
      "P>C fork at null by forksFile",
      "P>D fork at P3 by sharedMessages?",
    ]);
    const began = copies.map((each) => ({ ...each, facts: { ...each.facts, startedAs: id("P") } }));
    expect(shown(began)).toEqual(["P>C fork at null by startedAs?", "P>D fork at null by startedAs?"]);
  });

  test("a fork of a branch without messages comes from the branch", () => {
    const copied = { forkedFrom: { sessionId: id("G"), message: "G2" }, behindCopiesAtMs: hours(4) };
    const silent = session("B", hours(3), "G1 G2 G2n B4n", copied);
    const forked = session("C", hours(6), "G1 G2 G2n B4n C6", copied);
    expect(shown([grandparent, silent, forked])).toEqual([
      "B>C fork at G2 by sharedMessages",
      "G>B branch at G2 by forkedFrom",
    ]);
  });

  test("a fork of a branch comes from the branch, and the branch from its original", () => {
    const copied = { forkedFrom: { sessionId: id("G"), message: "G2" }, behindCopiesAtMs: hours(3) };
    const branch = session("B", hours(3), "G1 G2 B3 B6", copied);
    expect(shown([grandparent, branch, session("C", hours(4), "G1 G2 B3 C4", copied)])).toEqual([
      "B>C fork at B3 by sharedMessages",
      "G>B branch at G2 by forkedFrom",
    ]);
    // Without the branch, its remains name an ancestor.
    expect(shown([grandparent, session("C", hours(4), "G1 G2 B3 C4", copied)])).toEqual([
      "G>C fork at G2 by sharedMessages?",
    ]);
    const silent = session("C", hours(4), "G1 G2 B3n C4", copied);
    expect(shown([grandparent, silent])).toEqual(["G>C fork at G2 by sharedMessages?"]);
    expect(shown([session("C", hours(4), "G1 G2 B3 C4", copied)])).toEqual(["G>C fork at G2 by forkedFrom?"]);
  });

  test("a fork of a compacted session has the messages since then, and some before, and comes from it", () => {
    const compacted = { boundaries: ["b", "c"] };
    const [atB, atC] = [
      { rootMessage: "b", boundaries: ["b"] },
      { rootMessage: "c", boundaries: ["c"] },
    ];
    const family = (births: number) => [
      session("P", births + hours(1), "P1 P2 P3 P4 P5 P8", compacted),
      session("F", births + hours(6), "P3 P2 P4 F6 F7", atB),
      session("G", births + hours(7), "P5 P4 G7", atC),
      session("H", births + hours(8), "P3 P2 P4 F6 H8", atB),
    ];
    expect(shown(family(0))).toEqual([
      "F>H fork at F6 by sharedMessages",
      "P>F fork at P4 by sharedMessages",
      "P>G fork at P4 by sharedMessages",
    ]);
    expect(shown(family(hours(90)))).toEqual(shown(family(0)).map((edge) => `${edge}?`));
  });

  test("a fork of a branch without the compacted part comes from the branch", () => {
    const at = { rootMessage: "b", boundaries: ["b"] };
    const copied = { ...at, forkedFrom: { sessionId: id("P"), message: "P4" }, behindCopiesAtMs: hours(5) };
    const all = [
      session("P", hours(1), "P1 P2 P3 P4 P9", { boundaries: ["b"] }),
      session("B", hours(5), "P3 P2 P4 B5", copied),
      session("C", hours(6), "P3 P2 P4 B5 C6", copied),
    ];
    expect(shown(all)).toEqual(["B>C fork at B5 by sharedMessages", "P>B branch at P4 by forkedFrom"]);
  });

  test("a parent that birth times cannot prove is marked as inferred", () => {
    const restored = [session("G", hours(90), "G1 G2"), session("P", hours(91), "G1 G2 P3")];
    expect(shown(restored)).toEqual(["G>P fork at G2 by sharedMessages?"]);
  });

  test("sessions with other beginnings are not compared", () => {
    expect(shown([session("A", 0, "A1 X2"), session("B", 0, "B1 X2")])).toEqual([]);
  });
});

describe("the evidence", () => {
  const origin = { sessionId: id("F"), message: "m" };
  const shared = [session("G", hours(1), "G1 G2")];
  const rich = (facts: Partial<Session["facts"]>) =>
    session("C", hours(3), "G1 C3", { startedAs: id("S"), ...facts });
  // Restored: both files are younger than the message they share.
  const guessed = [
    session("G", hours(90), "G1 G2"),
    session("C", hours(91), "G1 C3", { startedAs: id("S") }),
  ];
  const rows: [string, Session[], LineageClaim[], string][] = [
    [
      "our own choice",
      [...shared, rich({ forkedFrom: origin })],
      [claim("U", "C", "chosen")],
      "U>C fork at null by chosen",
    ],
    [
      "forkedFrom",
      [...shared, rich({ forkedFrom: origin })],
      [claim("H", "C", "hook")],
      "F>C branch at m by forkedFrom",
    ],
    ["shared messages", [...shared, rich({})], [claim("H", "C", "hook")], "G>C fork at G1 by sharedMessages"],
    [
      "a hook",
      [rich({})],
      [claim("A", "C", "arguments"), claim("H", "C", "hook", { kind: "compact" })],
      "H>C compact at null by hook",
    ],
    [
      "arguments",
      [rich({})],
      [claim("R", "C", "forksFile"), claim("A", "C", "arguments")],
      "A>C fork at null by arguments",
    ],
    [
      "the forks file",
      [session("C", hours(3), "C3", { startedAs: id("S"), beginsWithClear: true })],
      [claim("R", "C", "forksFile")],
      "R>C clear at null by forksFile",
    ],
    ["a guess by shared messages", guessed, [], "G>C fork at G1 by sharedMessages?"],
    ["the first session of the process", [rich({})], [], "S>C fork at null by startedAs?"],
  ];
  test.each(rows)("%s comes before all weaker evidence", (_, sessions, claims, expected) => {
    expect(shown(sessions, claims)).toEqual([expected]);
    expect(shown(sessions.toReversed(), claims.toReversed())).toEqual([expected]);
  });

  test.each<LineageClaim["source"]>(["chosen", "hook", "arguments", "forksFile"])(
    "%s comes before a guess, and no guess reverses it",
    (source) => {
      expect(shown(guessed, [claim("R", "C", source)])).toEqual([`R>C fork at null by ${source}`]);
      // C wrote first and would be the older one.
      const turned = [session("P", hours(90), "P1 P2 P9"), session("C", hours(91), "P1 P2 C3")];
      expect(shown(turned)).toEqual(["C>P fork at P2 by sharedMessages?"]);
      expect(shown(turned, [claim("P", "C", source)])).toEqual([`P>C fork at null by ${source}`]);
    },
  );

  test("a guess does not make a fork's original its child", () => {
    const began = { startedAs: id("P") };
    const parent = session("P", hours(90), "P1 P2 P9", began);
    const child = session("C", hours(91), "P1 P2 C3 C5", began);
    const grandchild = session("D", hours(92), "P1 P2 C3 D6", began);
    expect(shown([parent, child])).toEqual(["P>C fork at P2 by sharedMessages?"]);
    expect(shown([parent, child, grandchild])).toEqual([
      "C>D fork at C3 by sharedMessages?",
      "P>C fork at P2 by sharedMessages?",
    ]);
  });

  test("our own choice has the fork point if the messages show it", () => {
    expect(shown([...shared, rich({})], [claim("G", "C", "chosen")])).toEqual(["G>C fork at G1 by chosen"]);
  });

  test("a session is never its own parent: the next evidence counts", () => {
    const own = session("C", 0, "C1", {
      startedAs: id("C"),
      forkedFrom: { sessionId: id("C"), message: "m" },
    });
    expect(shown([own], [claim("C", "C", "chosen"), claim("R", "C", "forksFile")])).toEqual([
      "R>C fork at null by forksFile",
    ]);
  });

  test("any input gives no cycle", () => {
    const name = fc.constantFrom("a", "b", "c", "d", "e");
    const claims = fc.array(
      fc.record({
        parent: name,
        child: name,
        source: fc.constantFrom("chosen" as const, "hook" as const, "forksFile" as const),
      }),
      { maxLength: 15 },
    );
    const sessions = fc.uniqueArray(
      fc.record({
        name,
        born: fc.nat(9),
        messages: fc.uniqueArray(fc.constantFrom("x1", "x2", "x3", "x4", "x5")),
      }),
      { selector: (each) => each.name },
    );
    fc.assert(
      fc.property(sessions, claims, (many, said) => {
        const made = many.map(({ name, born, messages }) =>
          session(name, hours(born), ["r0", ...messages].join(" ")),
        );
        const edges = lineage(
          made,
          parentsByMessages(made),
          said.map(({ parent, child, source }) => claim(parent, child, source)),
        );
        const parents = new Map(edges.map((edge) => [edge.child, edge.parent]));
        expect(parents.size).toBe(edges.length);
        for (const start of parents.keys()) {
          const seen = new Set<SessionId>();
          for (let at: SessionId | undefined = start; at !== undefined; at = parents.get(at)) {
            expect(seen.has(at)).toBe(false);
            seen.add(at);
          }
        }
      }),
    );
  });
});

test("thousands with one first message come from the first of them, and are compared once", () => {
  const many = Array.from({ length: 2000 }, (_, at) =>
    session(`s${at}`, hours(at + 1), at === 0 ? "r1" : `r1 x${at + 1}`),
  );
  const sorting = vi.spyOn(Array.prototype, "toSorted");
  onTestFinished(() => sorting.mockRestore());
  const kinship = parentsByMessages(many);
  expect(sorting.mock.calls.length).toBeLessThan(10);
  expect(kinship.size).toBe(many.length - 1);
  expect(new Set([...kinship.values()].map(({ parent }) => parent))).toEqual(new Set([id("s0")]));
});

const long = Array.from({ length: 100_000 }, (_, at) => claim(`s${at}`, `s${at + 1}`, "forksFile"));
test.each([
  ["from the beginning", long],
  ["from the end", long.toReversed()],
  ["from the middle", [...long.slice(50_000), ...long.slice(0, 50_000)]],
])("a line of a hundred thousand claims, given %s, comes out whole and without a cycle", (_, claims) => {
  const edges = lineage([], new Map(), [...claims, claim("s100000", "s0", "forksFile")]);
  expect(edges.length).toBe(long.length);
  expect(edges.some(({ child }) => child === "s0")).toBe(false);
});

test("of several files of one session the last written counts", () => {
  const file = (path: string): Transcript => ({
    id: id("A"),
    path,
    sizeBytes: 0,
    modifiedAtMs: 0,
    kind: "claude",
    folder: "/config",
    bornAtMs: 1,
    facts: noFacts(),
  });
  const [last, older] = [file("/x"), file("/y")];
  expect(lineageSessions(new Map([[id("A"), [last, older]]]))).toEqual([last]);
});
