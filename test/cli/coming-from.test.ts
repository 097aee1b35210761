import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { expandAliases } from "../../src/cli/aliases.js";
import { allOptions, spellings } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { groups } from "../../src/cli/groups.js";
import { hivemind } from "../command.js";
import { testHome } from "../home.js";

const page = readFileSync(new URL("../../docs/coming-from.md", import.meta.url), "utf8");
const typed = [
  ...page.matchAll(/`((?:hivemind|hiveMind|otmux|tronMonitor|claudeCode|scrumMaster)(?: [^`]*)?)`/g),
].map(([, line]) => line!);

function commandIn(words: readonly string[]): (typeof commands)[number] | undefined {
  const isTyped = (spelling: string) => spelling.split(" ").every((word, at) => words[at] === word);
  const fitting = commands.filter((each) => spellings(each).some(isTyped));
  return fitting.sort((a, b) => b.words.length - a.words.length)[0];
}

test("the page has the six tools, and commands to type", () => {
  for (const tool of ["hiveMind", "teamctl", "claw-code", "tmux-resurrect", "agent-deck", "claude-squad"])
    expect(page).toMatch(new RegExp(`^## .*${tool}`, "m"));
  expect(typed.length).toBeGreaterThan(50);
});

test.each([...new Set(typed)])("`%s` on the page is a command with these options", (line) => {
  const [program, ...argv] = line.split(" ");
  const first =
    program === "hivemind" || program === "hiveMind" ? argv : [`${program}.${argv[0]}`, ...argv.slice(1)];
  if (first.length === 0) return;
  const words = expandAliases(first);
  const command = commandIn(words);
  expect(command, line).toBeDefined();
  const isGroupAlone = Object.hasOwn(groups, words[0]!) && command!.words === words[0];
  if (isGroupAlone && words[1] !== undefined) expect(words[1]).toMatch(/^(-|[A-Z])/);
  const options = allOptions(command!).map(({ name }) => `--${name}`);
  for (const word of words.filter((each) => each.startsWith("--"))) expect(options, line).toContain(word);
});

test("each command has a help page", () => {
  const home = testHome();
  const found = new Set(
    typed
      .filter((line) => /^hivemind \S/.test(line))
      .map((line) => commandIn(expandAliases(line.split(" ").slice(1)))!.words),
  );
  expect(found.size).toBeGreaterThan(30);
  for (const words of found)
    expect(hivemind(home, [...words.split(" "), "--help"])).toMatchObject({ code: 0 });
});
