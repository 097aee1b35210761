import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.js";

test.each([
  "/srv/plain_1.x",
  "/srv/a b",
  "/srv/$(touch x)",
  "it's",
  "`x`",
  "a;b",
  "a\nb",
  "",
  "-rf",
  "~",
  "*",
])("%j is one word for a shell, and executes nothing", (text) => {
  const printed = execFileSync("sh", ["-c", `printf '%s|' ${shellWord(text)}`], { encoding: "utf8" });
  expect(printed).toBe(`${text}|`);
});

test("a word that zsh would take for a program is quoted", () => expect(shellWord("=web")).toBe("'=web'"));

test("a plain path stays unchanged", () => expect(shellWord("/srv/plain_1.x")).toBe("/srv/plain_1.x"));
