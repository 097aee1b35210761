import { expect, test } from "vitest";
import { guardedText } from "./sessions/markdown.js";

const heading = "## 8 · assistant";

test.each([
  ["code is unchanged", "a\n```sh\n# list\n<div>\n```\n# b", "a\n```sh\n# list\n<div>\n```\n\\# b"],
  [
    "code inside a list item is unchanged",
    "1. a\n   ~~~\n   # b\n\n   c\n   ~~~",
    "1. a\n   ~~~\n   # b\n\n   c\n   ~~~",
  ],
  ["a longer fence can hold a shorter one", "````\n```\n# a\n````\n# b", "````\n```\n# a\n````\n\\# b"],
  [
    "a fence line followed by words does not close a fence",
    "```\n# a\n``` b\n# c\n   ``` ",
    "```\n# a\n``` b\n# c\n   ``` ",
  ],
  ["an open fence is closed", "a\n~~~~ x\n# b\n```", "a\n~~~~ x\n# b\n```\n~~~~"],
  ["inline code is not a fence", `\`\`\`a\`\`\`\n${heading}`, `\`\`\`a\`\`\`\n\\${heading}`],
  ["a fence that ends with its list is text", `- a\n  \`\`\`\n${heading}`, `- a\n  \\\`\`\`\n\\${heading}`],
  [
    "a fence that a deeper line may end is text",
    `- a\n  \`\`\`\n     \`\`\`\n  ${heading}`,
    `- a\n  \\\`\`\`\n     \`\`\`\n  \\${heading}`,
  ],
  [
    "a tag cannot hide a fence or the text after it",
    "<!-- a\n<pre>\n```\n# b\n```",
    "\\<!-- a\n\\<pre>\n```\n# b\n```",
  ],
  ["an address is not a tag", "<https://a.b>\n<me@a.b>", "<https://a.b>\n<me@a.b>"],
])("%s", (_, words, expected) => expect(guardedText(words)).toBe(expected));
