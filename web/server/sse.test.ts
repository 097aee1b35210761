import fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader, type ServerEvent } from "./sse.js";

const read = (...texts: string[]) => {
  const reader = new EventReader();
  return texts.flatMap((text) => reader.read(text));
};

test.each<[string, ServerEvent[]]>([
  ["event: look\ndata: {}\n\n", [{ event: "look", data: "{}" }]],
  ["data: a\ndata: b\n\n", [{ event: "message", data: "a\nb" }]],
  ["event: x\r\ndata: 1\r\n\r\n", [{ event: "x", data: "1" }]],
  [
    "data:1\n\ndata: 2\n\n",
    [
      { event: "message", data: "1" },
      { event: "message", data: "2" },
    ],
  ],
  [": still here\n\n", []],
  ["event: x\n\n", []],
  ["event: x\ndata: 1\n", []],
  ["data\n\n", [{ event: "message", data: "" }]],
  ["data: a: b\n\n", [{ event: "message", data: "a: b" }]],
])("of %j the events are %j", (text, events) => expect(read(text)).toEqual(events));

test("events are the same however the text is cut", () =>
  fc.assert(
    fc.property(
      fc.array(fc.record({ event: fc.constantFrom("fleet", "delta"), value: fc.json() })),
      fc.array(fc.nat(400)),
      (events, cuts) => {
        const text = events
          .map(({ event, value }) => `event: ${event}\ndata: ${value}\n\n: beat\n\n`)
          .join("");
        const places = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ];
        const pieces = places.slice(1).map((place, at) => text.slice(places[at], place));
        expect(read(...pieces)).toEqual(events.map(({ event, value }) => ({ event, data: value })));
      },
    ),
  ));
