import fc from "fast-check";
import { expect, test } from "vitest";
import type { Role, TeamName } from "../names/gates.js";
import { fits, forms } from "./forms.js";
import { problemLine } from "./problem.js";
import { readTeamFile } from "./read-team-file.js";
import { blankAgent, teamLayouts, type WantedAgent } from "./team-file.js";
import { type WrittenTeam, writeTeamFile } from "./write-team-file.js";

const folder = "/srv/web 4";

function readBack(text: string): WrittenTeam {
  const read = readTeamFile(text, { path: `${folder}/hivemind.yaml`, folder, home: "/home/ann" });
  if ("problems" in read)
    throw new Error(`${read.problems.map((each) => problemLine("", each)).join("\n")}\n${text}`);
  const { project, team, layout, adopts, agents } = read.team;
  return { folder, project, team, layout, adopts, agents: agents.map(({ line: _, ...agent }) => agent) };
}

const odd = [
  "true",
  "null",
  "~",
  "4",
  "0x1f",
  "- a",
  "a: b",
  "a #b",
  "*a",
  "&a",
  "!a",
  "{",
  "[",
  "'",
  '"',
  "%",
  "@",
  "`",
  "é",
  "日本",
  "-",
  "=",
  "\\",
];
const fitting = (form: (typeof forms)[keyof typeof forms]) =>
  fc
    .oneof(fc.constantFrom(...odd), fc.string(), fc.string({ unit: "grapheme" }))
    .filter((text) => fits(form, text));
const path = fitting(forms.path)
  .filter((text) => text.split("/").every((part) => part !== "" && part !== "." && part !== ".."))
  .map((text) => `${folder}/${text}`);
const id = fc.stringMatching(/^[A-Za-z][A-Za-z0-9._-]{0,6}$/).map((text) => text as Role);
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const agent = (own: Role, ids: readonly Role[]): fc.Arbitrary<Omit<WantedAgent, "line">> => {
  const others = ids.filter((other) => other !== own);
  const common = {
    id: fc.constant(own),
    cwd: fc.oneof(fc.constant(folder), path, fc.constantFrom("/", "/srv", "/srv/web", "/home/ann")),
    env: fc.dictionary(
      fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/).filter((name) => fits(forms.variable, name)),
      fitting(forms.value),
      { maxKeys: 3, noNullPrototype: true },
    ),
    worktree: orNull(fitting(forms.branch)),
    restart: fc.constantFrom("never", "on-crash"),
    reportsTo: others.length > 0 ? orNull(fc.constantFrom(...others)) : fc.constant(null),
  } as const;
  const shell = fc.record(common).map((each) => ({ ...blankAgent, ...each, kind: "shell" as const }));
  const talking = fc
    .record({
      ...common,
      kind: fc.constantFrom("claude", "demo"),
      model: orNull(fc.oneof(fc.constant("opus"), fitting(forms.text))),
      promptPaths: fc.oneof(
        fc.constant([]),
        path.map((one) => [one]),
      ),
      permissionMode: orNull(fitting(forms.mode)),
      inbound: fc.constantFrom("hold" as const, "accept" as const),
      mcp: fc.boolean(),
      args: fc.array(fitting(forms.argument), { maxLength: 3 }),
      start: fc.constantFrom("resume", "fresh"),
    })
    .map((each) => ({ ...blankAgent, ...each }));
  return fc.oneof(talking, shell);
};

const team: fc.Arbitrary<WrittenTeam> = fc.uniqueArray(id, { minLength: 1, maxLength: 4 }).chain((ids) =>
  fc.record({
    folder: fc.constant(folder),
    project: fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
    team: fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,8}$/).map((name) => name as TeamName),
    layout: fc.constantFrom(...teamLayouts),
    adopts: fc.boolean(),
    agents: fc.tuple(...ids.map((own) => agent(own, ids))),
  }),
);

test("a written team reads back as the same team", () => {
  fc.assert(
    fc.property(team, (each) => {
      expect(readBack(writeTeamFile(each))).toEqual(each);
    }),
    { numRuns: 100 },
  );
});

test("a fork is written too", () => {
  const agents = ["lead", "dev"].map((each) => ({ ...blankAgent, id: each as Role, cwd: folder }));
  const forked = [agents[0]!, { ...agents[1]!, fork: "lead" as Role }];
  const written = {
    folder,
    project: "web4",
    team: "web4" as TeamName,
    layout: "tiled" as const,
    adopts: false,
    agents: forked,
  };
  expect(readBack(writeTeamFile(written))).toEqual(written);
});

test("defaults are not written, and a shared model is written once", () => {
  const agents = ["lead", "dev"].map((each) => ({
    ...blankAgent,
    id: each as Role,
    cwd: folder,
    model: "opus",
  }));
  const text = writeTeamFile({
    ...{ folder, project: "web4", team: "web4" as TeamName, layout: "tiled", adopts: false, agents },
  });
  const keys = text.split("\n").filter((line) => /^ *[a-z_]+:/.test(line));
  expect(keys.map((line) => line.replace(/ #.*/, ""))).toEqual([
    ...["project: web4", "layout: tiled", "defaults:", "  model: opus", "agents:", "  lead:", "  dev:"],
  ]);
});
