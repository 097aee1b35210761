import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import { exitCodes } from "../base/errors.js";
import { mayBeHidden, refuseUnseen, unseen } from "./unreadable.js";

const problem = (path: string) => ({ path, message: "EACCES: permission denied" });

test.each<[string, string, string, boolean]>([
  ["its own file may", `/c/projects/-a/${idOf(1)}.jsonl`, idOf(1), true],
  ["a file with the same beginning may", `/c/projects/-a/${idOf(1)}.jsonl`, idOf(1).slice(0, 8), true],
  ["any file may hide an unnamed session", `/c/projects/-a/${idOf(1)}.jsonl`, "", true],
  ["another session's file may not", `/c/projects/-a/${idOf(2)}.jsonl`, idOf(1), false],
  [
    "another session's file in a folder of its name may not",
    `/c/projects/-${idOf(1)}/${idOf(2)}.jsonl`,
    idOf(1),
    false,
  ],
  ["a folder of transcripts may", "/c/projects/-a", idOf(1), true],
  ["the folder of all transcripts may", "/c/projects", idOf(1), true],
])("an unreadable path may hide a session: %s", (_, path, id, expected) =>
  expect(mayBeHidden([problem(path)], id)).toBe(expected),
);

test("a cache that could not be written hides nothing", () => {
  expect(mayBeHidden([{ ...problem("/cache/transcripts-0"), isAside: true }], idOf(1))).toBe(false);
  expect(mayBeHidden([], "")).toBe(false);
});

test("an unreadable session is reported with its path, a command to type, and exit code 3", () => {
  const problems = [problem(`/c/projects/-a/${idOf(2)}.jsonl`), problem("/my c/projects")];
  const expected = {
    why: "its words could not be seen: /my c/projects: EACCES: permission denied",
    hint: "see why: ls -ld '/my c/projects'",
    exitCode: exitCodes.couldNotLook,
  };
  expect(unseen("its words", idOf(1), problems)).toEqual(expected);
  const { why: message, ...facts } = expected;
  expect(() => refuseUnseen("its words", idOf(1), problems)).toThrow(
    expect.objectContaining({ message, ...facts }),
  );
  expect(unseen("its words", idOf(1), problems.slice(0, 1))).toBeNull();
  const scanned = { path: "/c/projects", message: "ELOOP: too many links, scandir '/c/projects'" };
  expect(unseen("it", "", [scanned])?.why).toBe(`it could not be seen: ${scanned.message}`);
});
