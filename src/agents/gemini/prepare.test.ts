import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { prepareStart } from "./prepare.js";
import { isCleanedUp } from "./settings.js";

const id = "0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const lost = "1c2f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const other = "2c2f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const head = (sessionId: string) => `${JSON.stringify({ sessionId, projectHash: "h", kind: "main" })}\n`;
const prompt = '{"id":"x","timestamp":"1970-01-01T00:00:09Z","type":"user","content":"hello"}\n';

function made() {
  const home = mkdtempSync(join(tmpdir(), "hm-gemini-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  write("projects.json", JSON.stringify({ projects: { "/srv/w": "w" } }));
  const said = { sessionId: lost, message: "hello", timestamp: "1970-01-01T00:00:09Z" };
  write("tmp/w/logs.json", JSON.stringify([said]));
  const chat = (short: string, text: string) => write(`tmp/w/chats/session-1-${short}.jsonl`, text);
  const start = (how: "create" | "resume") =>
    prepareStart({ session: { how, id }, cwd: "/srv/w", folder: home });
  return { home, write, chat, start };
}

it("gives a conversation back the fields that the client lost, once", () => {
  const { chat, start } = made();
  const headless = chat("1c2f6e3c", prompt);
  const rubbish = chat("3c2f6e3c", prompt);
  start("resume");
  start("resume");
  const [first, second, ...more] = readFileSync(headless, "utf8").trimEnd().split("\n");
  expect([first, more]).toEqual([prompt.trimEnd(), []]);
  expect(JSON.parse(second!).$set).toMatchObject({
    sessionId: lost,
    projectHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    kind: "main",
  });
  // No log knows its id.
  expect(readFileSync(rubbish, "utf8")).toBe(prompt);
});

it.each([
  ["create", id, "", false],
  ["create", id, prompt, true],
  ["create", other, "", true],
  ["resume", id, "", true],
] as const)("before a %s the file of %s with %j stays: %j", (how, owner, words, stays) => {
  const { chat, start } = made();
  const file = chat(owner.slice(0, 8), head(owner) + words);
  start(how);
  expect(existsSync(file)).toBe(stays);
});

it.each([
  [null, null, true],
  [false, null, false],
  [true, false, false],
  [false, true, true],
])("with %j in the user's settings and %j in the folder's it cleans up: %j", (own, folder, expected) => {
  const { home, write } = made();
  const settings = (enabled: boolean) => JSON.stringify({ general: { sessionRetention: { enabled } } });
  if (own !== null) write("settings.json", settings(own));
  if (folder !== null) write("work/.gemini/settings.json", settings(folder));
  expect(isCleanedUp(home, join(home, "work"))).toBe(expected);
});
