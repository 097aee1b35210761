import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import type { FoundFile } from "./find.js";
import { newestFirst, newestRead } from "./newest-read.js";
import { noFacts, type Transcript } from "./transcript.js";

function fileAt(modifiedAtMs: number, place: number, id = `${place}`): FoundFile {
  const stamp = { inode: place, sizeBytes: 1, modifiedAtMs, changedAtMs: modifiedAtMs, bornAtMs: 0 };
  return { id: id as SessionId, path: `/r/${place}`, stamp };
}

function transcriptOf({ id, path, stamp }: FoundFile): Transcript {
  return {
    id,
    path,
    sizeBytes: 1,
    modifiedAtMs: stamp.modifiedAtMs,
    bornAtMs: null,
    kind: "claude",
    folder: "/config",
    facts: noFacts(),
  };
}

test("what is read first is the beginning of what is read in the end", () => {
  const property = fc.property(
    fc.array(fc.nat(50), { maxLength: 20 }),
    fc.array(fc.constantFrom("read", "unread", "unreadable"), { minLength: 20, maxLength: 20 }),
    (times, states) => {
      const newest = newestFirst(times.map((time, place) => fileAt(time, place)));
      const stateOf = (file: FoundFile) => states[file.stamp.inode]!;
      const whole = newest.filter((file) => stateOf(file) !== "unreadable").map(({ path }) => path);
      const read = (file: FoundFile) => {
        if (stateOf(file) === "unread") return undefined;
        return stateOf(file) === "read" ? transcriptOf(file) : null;
      };
      const early = [...newestRead(newest, read)].map(({ path }) => path);
      expect(whole.slice(0, early.length)).toEqual(early);
      const gap = newest.findIndex((file) => stateOf(file) === "unread");
      const before = newest.slice(0, gap < 0 ? newest.length : gap);
      expect(early).toHaveLength(before.filter((file) => stateOf(file) === "read").length);
    },
  );
  fc.assert(property);
});

test("a session with two files is there once, with the one last written", () => {
  const files = newestFirst([fileAt(1, 1, "same"), fileAt(3, 2, "same"), fileAt(2, 3)]);
  expect([...newestRead(files, transcriptOf)].map(({ path }) => path)).toEqual(["/r/2", "/r/3"]);
});
