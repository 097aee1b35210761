import pico from "picocolors";
import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import type { Workspace } from "../../names/workspace.js";
import { noFacts, type Transcript } from "../../transcripts/transcript.js";
import { draftLines } from "./draft.js";

function transcript(digit: number, title: string, firstCwd: string): Transcript {
  const id = `${digit}`.repeat(8) as SessionId;
  const facts = { ...noFacts(), title, firstCwd, messages: digit };
  return {
    id,
    path: `/${id}`,
    sizeBytes: 2000,
    modifiedAtMs: 0,
    bornAtMs: null,
    kind: "claude",
    folder: "/config",
    facts,
  };
}

const newest = [transcript(1, "one", "/a"), transcript(2, "two", "/b"), transcript(3, "three", "/a")];
const view = { here: null, title: "", most: 9, nowMs: 60_000, colours: pico.createColors(false) };
const here = { path: "/a" } as Workspace;

test("shows the newest sessions in the order of the list", () => {
  expect(draftLines(newest, view)).toEqual([
    "the newest so far:",
    "SESSION   MSGS    SIZE    AGE  TITLE",
    "11111111     1  2.0 kB  1 min  one",
    "22222222     2  2.0 kB  1 min  two",
    "33333333     3  2.0 kB  1 min  three",
  ]);
});

test.each([
  ["of this folder", { here }, ["11111111", "33333333"]],
  ["with a title", { title: "two" }, ["22222222"]],
  ["that fit the screen", { most: 2 }, ["11111111", "22222222"]],
  ["and nothing at all without one", { title: "none" }, []],
])("shows only those %s", (_, only, ids) => {
  const lines = draftLines(newest, { ...view, ...only });
  expect(lines.slice(2).map((line) => line.slice(0, 8))).toEqual(ids);
  if (ids.length === 0) expect(lines).toEqual([]);
});
