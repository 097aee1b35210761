import { expect, test } from "vitest";
import { guardedText } from "./markdown-text.js";

const heading = "## 8 · assistant";

test.each([
  [
    "[MG2] code is as it was written",
    "a\n```sh\n# list\n<div>\n```\n# b",
    "a\n```sh\n# list\n<div>\n```\n\\# b",
  ],
  [
    "[MG2] also under an item of a list",
    "1. a\n   ~~~\n   # b\n\n   c\n   ~~~",
    "1. a\n   ~~~\n   # b\n\n   c\n   ~~~",
  ],
  ["[MG2] a longer fence holds a shorter", "````\n```\n# a\n````\n# b", "````\n```\n# a\n````\n\\# b"],
  [
    "[MG2] a fence is not ended by one with words",
    "```\n# a\n``` b\n# c\n   ``` ",
    "```\n# a\n``` b\n# c\n   ``` ",
  ],
  ["[MG2] an open fence is closed", "a\n~~~~ x\n# b\n```", "a\n~~~~ x\n# b\n```\n~~~~"],
  ["[MG1] words in backticks are no fence", `\`\`\`a\`\`\`\n${heading}`, `\`\`\`a\`\`\`\n\\${heading}`],
  ["[MG3] a fence that ends with its list", `- a\n  \`\`\`\n${heading}`, `- a\n  \\\`\`\`\n\\${heading}`],
  [
    "[MG3] one that a deeper line may end",
    `- a\n  \`\`\`\n     \`\`\`\n  ${heading}`,
    `- a\n  \\\`\`\`\n     \`\`\`\n  \\${heading}`,
  ],
  [
    "[MG1] no tag hides a fence, or what follows",
    "<!-- a\n<pre>\n```\n# b\n```",
    "\\<!-- a\n\\<pre>\n```\n# b\n```",
  ],
  ["[MG1] an address is no tag", "<https://a.b>\n<me@a.b>", "<https://a.b>\n<me@a.b>"],
])("%s", (_, words, expected) => expect(guardedText(words)).toBe(expected));
