import { expect, test } from "vitest";
import { fleetOf, pane } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import { lookAgain } from "./look-again.js";

type Seen = readonly [FleetPane, SessionId | null][];

/** A world whose looks are these, one after the other; the last one stays. */
async function looking(looks: readonly Seen[], interruptAtSecond = Number.POSITIVE_INFINITY) {
  const said: (string | null)[] = [];
  const controller = new AbortController();
  let [seconds, count] = [0, 0];
  const world = {
    observe: async () =>
      fleetOf(
        [],
        looks[Math.min(count++, looks.length - 1)]!.map(([each, uuid]) => [each, uuid, "unknown"]),
      ),
    progress: (line: string | null) => void said.push(line),
    interrupted: controller.signal,
  };
  const left = await lookAgain(world, ["%web:0.0", "%web:0.1"] as unknown as PaneId[], async () => {
    if (++seconds === interruptAtSecond) controller.abort();
  });
  return { left: left.map(({ address }) => address as string), seconds, looks: count, said };
}

const [a, b, stranger] = [pane("web:0.0"), pane("web:0.1"), pane("web:0.2")];
const known: Seen = [
  [a, idOf(1)],
  [b, idOf(2)],
];
const half: Seen = [
  [a, idOf(1)],
  [b, null],
];
const none: Seen = [
  [a, null],
  [b, null],
];

test.each<[string, Seen[], Partial<Awaited<ReturnType<typeof looking>>>]>([
  ["known at once: no waiting", [known], { left: [], seconds: 0, looks: 1 }],
  [
    "another agent of the team with an unknown session is ignored",
    [[...known, [stranger, null]]],
    { left: [], seconds: 0, looks: 1 },
  ],
  ["known after 5 s", [none, known], { left: [], seconds: 5, looks: 2 }],
  ["one after 5 s, the other after 15 s", [none, half, known], { left: [], seconds: 15, looks: 3 }],
  ["one never: the last look is at 30 s", [none, half], { left: ["web:0.1"], seconds: 30, looks: 4 }],
  [
    "one ends, the other is gone",
    [none, [[pane("web:0.0", { kind: "shell" }), null]]],
    { left: [], seconds: 5, looks: 2 },
  ],
])("%s", async (_, looks, expected) => {
  expect(await looking(looks)).toMatchObject(expected);
});

test("an interruption ends the wait at once", async () => {
  expect(await looking([none], 7)).toMatchObject({ left: ["web:0.0", "web:0.1"], seconds: 7, looks: 2 });
});

test("it shows a progress line while it waits, then removes it", async () => {
  const { said } = await looking([none, half]);
  expect(said[0]).toBe("waiting for the session of web:0.0 and 1 more: 1 of 30 s");
  expect(said.at(-2)).toBe("waiting for the session of web:0.1: 30 of 30 s");
  expect(said.at(-1)).toBeNull();
});
