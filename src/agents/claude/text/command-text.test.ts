import { expect, test } from "vitest";
import { isCommand, isObeyed, isSlashCommand, whyNotEntered } from "./command-text.js";

test.each([
  ["/clear", true],
  ["/rename lead", true],
  ["/mcp__x:y do it", true],
  ["/etc/passwd is odd", false],
  ["/ is the root", false],
  ["/rename a\nb", false],
  ["say /clear", false],
  ["/rename", true],
])("whether %j is a slash command: %s", (text, is) => {
  expect(isSlashCommand(text)).toBe(is);
});

test.each([
  ["!ls -l", true],
  ["/clear", true],
  ["! ls", true],
  ["run !ls", false],
  ["!", false],
  ["! ", false],
  ["!ls\nand more", false],
])("whether %j is a command: %s", (text, is) => {
  expect(isCommand(text)).toBe(is);
});

test.each([
  ["exit", true],
  ["quit", true],
  [":q", true],
  [":q!", true],
  [":wq", true],
  [":wq!", true],
  ["  exit \n", true],
  ["exit\u00a0", true],
  ["EXIT", false],
  [":x", false],
  ["exit now", false],
  ["quit()", false],
  ["/", true],
  ["/ is the root", true],
  ["/9 lives", true],
  ["/clear\nand more", true],
  ["/clear\u00a0x", true],
  ["/rename\tx", true],
  ["\n/clear", true],
  ["/etc/passwd is odd", false],
  ["/a.b c", false],
  ["//clear", false],
  ["!", true],
  ["!a\nb", true],
  [" !a", true],
  ["# a heading", false],
  ["& so on", false],
  ["?", false],
  ["say /clear", false],
])("whether the client would run %j as a command: %s", (text, is) => {
  expect(isObeyed(text)).toBe(is);
});

test.each([
  ["a command that the client marks", "/clear", true, null],
  ["a command that the client does not mark", "/clera", false, /has no command \/clera$/],
  ["an unmarked command with an argument", "/cle x", false, /has no command \/cle$/],
  ["a bare command without colours", "/clear", undefined, /no colours/],
  ["a command with an argument, without colours", "/rename x", undefined, null],
  ["a shell line", "!ls", undefined, null],
])("%s", (_, text, isKnownCommand, why) => {
  const draft = { kind: "draft", text, ...(isKnownCommand === undefined ? {} : { isKnownCommand }) } as const;
  const reason = whyNotEntered(draft, { text, isCommand: true });
  if (why === null) expect(reason).toBeNull();
  else expect(reason).toMatch(why);
});

test("prose that the client marks as a command is not sent", () => {
  const draft = { kind: "draft", text: "/usr is full", isKnownCommand: true } as const;
  expect(whyNotEntered(draft, { text: "/usr is full", isCommand: false })).toMatch(/as a command/);
});
