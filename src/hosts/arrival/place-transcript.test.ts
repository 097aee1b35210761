import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { idOf, user, writeTranscript } from "../../../test/transcripts/files.js";
import { limits } from "../../limits.js";
import { projectSlug } from "../../names/slug.js";
import { noFacts, type Transcript } from "../../transcripts/transcript.js";
import { type Placing, placeTranscript, placingOf, refuseOther } from "./place-transcript.js";

const id = idOf(1);
const line = (text: string, cwd: string) => user(text, { cwd });

/** A session of /far/it, here in a folder of its own. */
function arriving(...said: string[]) {
  const { root, claude } = testHome();
  const to = join(root, "it_is.here");
  mkdirSync(to);
  const from = writeTranscript(
    join(root, "box", "projects", "-far-it", `${id}.jsonl`),
    ...said.map((text) => line(text, "/far/it")),
  );
  const facts = { ...noFacts(), firstCwd: "/far/it", lastCwd: "/far/it/sub" };
  const far: Transcript = {
    id,
    kind: "claude",
    folder: join(root, "box"),
    path: from,
    sizeBytes: 1,
    modifiedAtMs: 1,
    bornAtMs: 1,
    facts,
  };
  const placing = placingOf(
    far,
    "",
    [
      { from: "/far", to: root },
      { from: "/far/it", to },
    ],
    claude,
  )!;
  return { root, claude, to: realpathSync(to), far, placing };
}

const here = ({ transcript }: Placing) => readFileSync(transcript.path, "utf8");

test("it lies under the slug of its folder here, and its records have that folder (incident 14)", () => {
  const { claude, to, placing } = arriving("hello");
  placeTranscript(placing);
  expect(placing.transcript.path).toBe(join(claude, "projects", projectSlug(to), `${id}.jsonl`));
  expect(placing.transcript.path).toContain("it-is-here");
  expect(here(placing)).toBe(`${line("hello", to)}\n`);
  expect(placing.transcript.facts).toMatchObject({ firstCwd: to, lastCwd: `${to}/sub` });
});

test("a link to a folder counts as that folder, as for the client", () => {
  const { root, to, far, claude } = arriving("hello");
  symlinkSync(to, join(root, "link"));
  const { move } = placingOf(far, "", [{ from: "/far/it", to: join(root, "link") }], claude)!;
  expect(move.to).toBe(to);
});

test("records without a folder use the saved one; without either there is no place", () => {
  const { far, claude } = arriving("hello");
  const silent = { ...far, facts: noFacts() };
  expect(placingOf(silent, "/far/it", [], claude)?.move).toEqual({ from: "/far/it", to: "/far/it" });
  expect(placingOf(silent, "", [], claude)).toBeNull();
});

test.each<[string, string[], string[]]>([
  ["the same", ["a", "b"], ["a", "b"]],
  ["a longer copy", ["a", "b", "c"], ["a", "b", "c"]],
  ["only its beginning", ["a"], ["a", "b"]],
])("if this host has %s, no record is lost", (_, there, wanted) => {
  const { to, placing } = arriving("a", "b");
  writeTranscript(placing.transcript.path, ...there.map((text) => line(text, to)));
  refuseOther(placing, [placing.transcript], false);
  placeTranscript(placing);
  expect(here(placing)).toBe(wanted.map((text) => `${line(text, to)}\n`).join(""));
});

test("a transcript with other contents stays as it is", () => {
  const { to, placing } = arriving("a", "b");
  writeTranscript(placing.transcript.path, line("a", to), line("x", to));
  const before = here(placing);
  expect(() => refuseOther(placing, [placing.transcript], false)).toThrow("different continuations");
  placeTranscript(placing);
  expect(here(placing)).toBe(before);
});

test("a transcript in use is not replaced", () => {
  const { to, placing } = arriving("a", "b");
  writeTranscript(placing.transcript.path, line("a", to));
  expect(() => refuseOther(placing, [placing.transcript], true)).toThrow(
    "runs here, but has continued there",
  );
});

test("a transcript too large to rewrite is refused before anything is placed", () => {
  const { placing } = arriving("a");
  const large = { ...placing, transcript: { ...placing.transcript, sizeBytes: limits.offlineBytes + 1 } };
  expect(() => refuseOther(large, [], false)).toThrow("too large to move here");
});

test("a transcript in another folder here is reported with a --map for it", () => {
  const { claude, placing } = arriving("a");
  const path = join(claude, "projects", "-srv-a", `${id}.jsonl`);
  const other = { ...placing.transcript, path, facts: { ...noFacts(), firstCwd: "/srv/a" } };
  expect(() => refuseOther(placing, [other], false)).toThrow(
    expect.objectContaining({ hint: "map to that folder: --map /far/it=/srv/a" }),
  );
});
