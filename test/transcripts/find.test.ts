import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSession, findTranscripts } from "../../src/transcripts/find.js";
import { testHome } from "../home.js";
import { idOf, rootIn, title, transcriptPath, writeTranscript } from "./files.js";

test("only regular files named by a UUID directly in a slug folder are transcripts", () => {
  const { claude } = testHome();
  const path = writeTranscript(transcriptPath(claude, idOf(1)), title("a"));
  const folder = join(claude, "projects", "-srv-a");
  for (const name of [
    "agent-1.jsonl",
    `${idOf(2)}.jsonl.bak`,
    `${idOf(3)}.json`,
    "notes.jsonl",
    `x${idOf(4)}.jsonl`,
    "1.ab.key",
  ]) {
    writeFileSync(join(folder, name), "{}\n");
  }
  mkdirSync(join(folder, idOf(5)));
  writeFileSync(join(folder, idOf(5), `${idOf(6)}.jsonl`), "{}\n");
  mkdirSync(join(folder, `${idOf(7)}.jsonl`));
  symlinkSync(path, join(folder, `${idOf(8)}.jsonl`));
  writeFileSync(join(claude, "projects", `${idOf(9)}.jsonl`), "{}\n");
  linkSync(path, join(folder, `${idOf(10)}.jsonl`));
  const { files, problems } = findTranscripts([rootIn(claude)]);
  expect(files.map(({ id }) => id).sort()).toEqual([idOf(1), idOf(10)]);
  expect(problems).toEqual([]);
});

test("linked folders are followed, and a folder reached twice is listed once", () => {
  const { claude, work, root } = testHome();
  writeTranscript(join(work, "real", "-srv-a", `${idOf(1)}.jsonl`), title("a"));
  writeTranscript(join(work, "elsewhere", `${idOf(2)}.jsonl`), title("b"));
  symlinkSync(join(work, "real"), join(claude, "projects"));
  symlinkSync(join(work, "elsewhere"), join(work, "real", "-srv-b"));
  symlinkSync("-srv-a", join(work, "real", "-0-again"));
  symlinkSync("nowhere", join(work, "real", "-dangling"));
  const second = join(root, "second");
  symlinkSync(claude, second);
  const { files, problems } = findTranscripts([claude, second, claude].map((folder) => rootIn(folder)));
  const found = files.map(({ path }) => path.slice(claude.length)).sort();
  expect(found).toEqual([`/projects/-srv-a/${idOf(1)}.jsonl`, `/projects/-srv-b/${idOf(2)}.jsonl`]);
  expect(problems).toEqual([]);
});

test("the files of one session are found under every slug, by its name alone", () => {
  const { claude } = testHome();
  for (const slug of ["-srv-a", "-srv-b"]) writeTranscript(transcriptPath(claude, idOf(1), slug), title("a"));
  writeTranscript(transcriptPath(claude, idOf(2)), title("b"));
  const { files } = findSession([rootIn(claude)], idOf(1));
  expect(files.map(({ path }) => path).sort()).toEqual(
    ["-srv-a", "-srv-b"].map((slug) => transcriptPath(claude, idOf(1), slug)),
  );
  expect(findTranscripts([rootIn(claude)]).files).toEqual(expect.arrayContaining(files));
  expect(findSession([rootIn(claude)], idOf(3))).toEqual({ files: [], problems: [] });
});

test("a missing folder is empty, and so is a file in its place", () => {
  const { claude, root } = testHome();
  expect(findTranscripts([rootIn(claude), rootIn(join(root, "missing"))])).toEqual({
    files: [],
    problems: [],
  });
  writeFileSync(join(claude, "projects"), "a file");
  expect(findTranscripts([rootIn(claude)])).toEqual({ files: [], problems: [] });
});

test("an unreadable folder is a problem, and the rest is found", () => {
  const { claude } = testHome();
  writeTranscript(transcriptPath(claude, idOf(1)), title("a"));
  // A link to itself fails for every user, even the superuser, like a folder without permission for others.
  symlinkSync("-loop", join(claude, "projects", "-loop"));
  const { files, problems } = findTranscripts([rootIn(claude)]);
  expect(files.map(({ id }) => id)).toEqual([idOf(1)]);
  expect(problems.map(({ path }) => path)).toEqual([join(claude, "projects", "-loop")]);
});
