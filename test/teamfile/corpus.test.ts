import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { problemLine } from "../../src/teamfile/problem.js";
import { readTeamFile } from "../../src/teamfile/read-team-file.js";
import { teamFileSchema } from "../../src/teamfile/schema.js";
import { badFiles, goodFiles } from "./corpus.js";

const place = { path: "/srv/web4/hivemind.yaml", folder: "/srv/web4", home: "/home/ann" };
const takenBySchema = new Ajv({
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
}).compile(teamFileSchema);

function problemsOf(text: string): string[] {
  const read = readTeamFile(text, place);
  return "problems" in read ? read.problems.map((problem) => problemLine("", problem).slice(1)) : [];
}

/** Null if the text gives no value at all, so that no schema is applied. */
function schemaSays(text: string): boolean | null {
  try {
    return takenBySchema(parse(text, { uniqueKeys: false, maxAliasCount: 100, logLevel: "error" }));
  } catch {
    return null;
  }
}

test.each(goodFiles)("$about: the reader and the schema take it", ({ text }) => {
  expect(problemsOf(text)).toEqual([]);
  expect(schemaSays(text)).toBe(true);
});

test.each(badFiles)("$about: each problem with its place", ({ text, problems, isBeyondSchema }) => {
  const found = problemsOf(text);
  expect(found.map((line, at) => line.slice(0, problems?.[at]?.length))).toEqual(problems);
  if (text.length < 10_000) expect(schemaSays(text) === true).toBe(isBeyondSchema === true);
});
