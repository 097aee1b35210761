import { describe, expect, test } from "vitest";
import { allOptions, spellings } from "./command.js";
import { commands, sections } from "./commands.js";
import { groups, oldGroups } from "./groups.js";

const options = commands.flatMap((command) =>
  allOptions(command).map((option) => ({ ...option, words: command.words })),
);
const argumentsOf = commands.flatMap(({ words, args = [] }) => args.map((each) => ({ ...each, words })));

describe("in every command", () => {
  test("the option that answers in advance is --yes, -y", () => {
    const short = options.filter(({ name }) => name === "yes").map(({ words, short }) => [words, short]);
    expect(short.length).toBeGreaterThan(8);
    expect(short).toEqual(short.map(([words]) => [words, "y"]));
  });

  test('a default is written "(default)" or "default: X", never "without it" or "else"', () => {
    const oldForm = /\bwithout it\b|\belse\b|if not (?:said|given)/;
    const found = [...options, ...argumentsOf]
      .filter(({ about }) => oldForm.test(about))
      .map(({ words, name }) => `${words} ${name}`);
    expect(found).toEqual([]);
  });

  test("an argument that looks optional but is needed says when", () => {
    const refs = argumentsOf.filter(
      ({ name, about }) => name === "ref" && /needed unless --file/.test(about),
    );
    const needed = ["export", "fork", "rm", "show"].map((verb) => `sessions ${verb}`);
    expect(refs.map(({ words }) => words).sort()).toEqual(needed);
    expect(options.find(({ words, name }) => words === "snapshots prune" && name === "keep")?.about).toMatch(
      /needed/,
    );
  });

  test("every spelling is unique, and every first word is in exactly one section and has a description", () => {
    const all = commands.flatMap(spellings);
    expect(new Set(all).size).toBe(all.length);
    const first = (words: string) => words.split(" ")[0]!;
    for (const section of sections)
      for (const { words } of section.commands)
        expect(
          sections.filter((other) => other.commands.some((each) => first(each.words) === first(words))),
        ).toEqual([section]);
    const parents = all.filter((words) => words.includes(" ")).map(first);
    expect([...new Set(parents)].sort()).toEqual([...Object.keys({ ...groups, ...oldGroups })].sort());
  });
});
