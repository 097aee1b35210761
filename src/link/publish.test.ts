import { expect, test } from "vitest";
import type { Host } from "../names/gates.js";
import { eventId, rowChanges } from "./publish.js";

const rows = (text: string) =>
  new Map(text === "" ? [] : text.split(" ").map((each) => each.split("=") as [string, string]));

test.each<[string, string, string, string[], string[]]>([
  ["[PB1] nothing changed: nothing is written", "a=1 b=2", "a=1 b=2", [], []],
  ["a changed row is written alone", "a=1 b=2", "a=1 b=3", ["b"], []],
  ["a new row is written", "a=1", "a=1 b=2", ["b"], []],
  ["a row of an agent that is gone is removed", "a=1 b=2", "b=2", [], ["a"]],
  ["what an earlier worker left is replaced", "x=1", "a=1", ["a"], ["x"]],
])("%s", (_, before, now, put, remove) => {
  const changes = rowChanges(rows(before), rows(now));
  expect(changes.put.map(([key]) => key)).toEqual(put);
  expect(changes.remove).toEqual(remove);
});

test("[PB2] an event has one id, whoever tries again, and no two events share one", () => {
  const place = { file: 7, offset: 100 };
  const ids = [0, 1, 2].map((index) => eventId("web.1" as Host, place, index));
  expect([0, 1, 2].map((index) => eventId("web.1" as Host, place, index))).toEqual(ids);
  expect(new Set([...ids, eventId("web.1" as Host, { file: 7, offset: 101 }, 0)]).size).toBe(4);
});
