import { describe, expect, test } from "vitest";
import { allOptions } from "./command.js";
import { commands } from "./commands.js";

const options = commands.flatMap((command) =>
  allOptions(command).map((option) => ({ ...option, words: command.words })),
);
const argumentsOf = commands.flatMap(({ words, args = [] }) => args.map((each) => ({ ...each, words })));

describe("in every command", () => {
  test("what is agreed to beforehand is --yes, and -y", () => {
    const short = options.filter(({ name }) => name === "yes").map(({ words, short }) => [words, short]);
    expect(short.length).toBeGreaterThan(8);
    expect(short).toEqual(short.map(([words]) => [words, "y"]));
  });

  test("what is so by itself is said in one way: what it is without it", () => {
    const said = [...options, ...argumentsOf].map(({ words, name, about }) => `${words} ${name}: ${about}`);
    expect(said.filter((line) => /\bdefault\b|if not (?:said|given)/.test(line))).toEqual([]);
  });

  test("what looks optional and is needed says when", () => {
    const refs = argumentsOf.filter(
      ({ name, about }) => name === "ref" && /needed unless --file/.test(about),
    );
    const needed = ["export", "fork", "rm", "show"].map((verb) => `sessions ${verb}`);
    expect(refs.map(({ words }) => words).sort()).toEqual(needed);
    expect(options.find(({ words, name }) => words === "teams prune" && name === "keep")?.about).toMatch(
      /needed/,
    );
  });
});
