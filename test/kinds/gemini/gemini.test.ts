// The real Gemini CLI judges what hivemind reads of its processes, screens and files.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readBox } from "../../../src/agents/gemini/screen/input-box.js";
import { readActivity } from "../../../src/agents/gemini/screen/screen.js";
import { readStatus } from "../../../src/agents/gemini/screen/status-panel.js";
import { readLastWords } from "../../../src/agents/gemini/text/last-words.js";
import { digestOf, proofIn, turnIn } from "../../../src/agents/gemini/transcript/message-records.js";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { geminiWorld } from "./driver.js";

const id = "0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11";

it("creates the session of the given id, answers, and is found again by its last words", async () => {
  const { api, start, sessions } = await geminiWorld();
  api.when(/how are you/, { text: "well, thank you", usage: { promptTokenCount: 1234 } });
  const client = await start({ args: ["--session-id", id] });
  const name = await until("its file", () => [...sessions().keys()][0]);
  expect(name).toMatch(/^work\/chats\/session-.*-0b1f6e3c\.jsonl$/);
  await client.submit("how are you");
  await client.waitForScreen(/well, thank you/);
  const lines = () => [...sessions().values()][0]!.map((line) => `${JSON.stringify(line)}\n`).join("");
  await until(
    "the answer on disk",
    () => proofIn(lines(), { digest: digestOf("how are you") }) === "answered",
  );
  expect(turnIn(lines(), { digest: digestOf("how are you") })).toMatchObject({ words: "well, thank you" });
  await client.submit("/quit");
  await until("the end", () => hasEnded(client.holder!) && hasEnded(client.pid));
  const words = await until("its last words", () => readLastWords(client.screen()));
  expect(words).toEqual({ session: id, title: null });
});

it("shows work, a queue and a question, and each is read from its screen", async () => {
  const { api, start } = await geminiWorld();
  api.next({ text: "done at last", held: true });
  const client = await start();
  const activity = () => readActivity(client.screenWithColours(), Date.now())?.activity;
  await until("an idle screen", () => activity() === "idle");
  await client.submit("how are you");
  await until("a busy screen", () => activity() === "busy");
  await client.submit("and you");
  await client.waitForScreen(/Queued/);
  api.next({ tool: "run_shell_command", input: { command: "touch made", description: "Make it" } });
  await api.release();
  const dialog = await until("a dialog", () => {
    const box = readBox(client.screenWithColours());
    return box.kind === "dialog" ? box : null;
  });
  expect(dialog).toMatchObject({
    question: "Allow execution of [Shell]?",
    known: { isClosedByEscape: true },
  });
  expect(activity()).toBe("waiting");
  client.keys("Escape");
  await client.waitForScreen(/Request cancelled/);
  await until("an idle screen", () => activity() === "idle");
});

it("two messages that it queued become one prompt, and each of them is proven", async () => {
  const { api, start, sessions } = await geminiWorld();
  api.next({ text: "first answer", held: true }, { text: "both answered" });
  const client = await start();
  await client.submit("begin");
  await client.submit("second message");
  await client.submit("third message");
  await api.release();
  await client.waitForScreen(/both answered/);
  const lines = () => [...sessions().values()][0]!.map((line) => `${JSON.stringify(line)}\n`).join("");
  for (const text of ["begin", "second message", "third message"])
    await until(`"${text}" answered`, () => proofIn(lines(), { digest: digestOf(text) }) === "answered");
});

it("goes on after its pane is closed, and ends with a signal to the second process alone", async () => {
  const { home, start } = await geminiWorld();
  await start();
  const client = await start({ cwd: home.home });
  home.tmux("kill-pane", "-t", client.paneId);
  process.kill(client.pid, "SIGTERM");
  process.kill(client.pid, "SIGHUP");
  await until("the signals taken", () => hasEnded(client.pid) || hasTakenSignals(client.pid));
  expect([client.pid, client.holder!].map(hasEnded)).toEqual([false, false]);
  process.kill(client.holder!, "SIGTERM");
  await until("the end of both", () => hasEnded(client.pid) && hasEnded(client.holder!));
});

it("moves to another session with /clear, and its status names that one", async () => {
  const { start, sessions } = await geminiWorld();
  const client = await start({ args: ["--session-id", id] });
  await client.submit("how are you");
  await client.waitForScreen(/✦ ok/);
  await client.submit("/clear");
  await until("a second file", () => sessions().size === 2);
  // It loses keys that come while it draws the empty screen.
  await until("an empty screen", () => !client.screen().some((row) => row.includes("how are you")));
  await client.submit("/stats");
  const status = await until("its status", () => readStatus(client.screenWithColours()));
  const heads = [...sessions().values()].map(([head]) => head!.sessionId);
  expect(heads).toContain(status.id);
  expect(status.id).not.toBe(id);
});

it("another start in the same folder deletes the session of one that has no message yet", async () => {
  const { start, sessions } = await geminiWorld();
  const client = await start({ args: ["--session-id", id] });
  const first = await until("its file", () => [...sessions().keys()][0]);
  await start();
  await until("the file gone", () => !sessions().has(first));
  await client.submit("how are you");
  await client.waitForScreen(/✦ ok/);
  // Its file is back, but without the line that has its id: the client cannot resume it.
  const again = await until("the file again", () => sessions().get(first));
  expect(again[0]).not.toHaveProperty("sessionId");
});

it("keeps such a session if its settings switch the cleaning off", async () => {
  const { start, sessions } = await geminiWorld();
  const settings = { general: { sessionRetention: { enabled: false } } };
  await start({ args: ["--session-id", id], settings });
  const first = await until("its file", () => [...sessions().keys()][0]);
  await start({ settings });
  await until("two files", () => sessions().size === 2);
  expect(sessions().has(first)).toBe(true);
});

it.each([
  ["--session-id", "an id that its folder has", /provide a different ID/],
  ["--resume", "an id of another folder", null],
] as const)("%s with %s ends with 42", async (option, _what, words) => {
  const { home, api, start } = await geminiWorld();
  api.when(/./, { text: "ok" });
  const client = await start({ args: ["--session-id", id] });
  await client.submit("how are you");
  await client.waitForScreen(/✦ ok/);
  await client.submit("/quit");
  await until("the end", () => hasEnded(client.pid));
  const cwd = option === "--resume" ? home.home : home.work;
  const second = await start({ args: [option, id], cwd, ready: /Pane is dead \(status 42/ });
  if (words !== null) expect(second.screen().join(" ")).toMatch(words);
});

/** A signal that its process does not handle ends the process when it is taken. */
function hasTakenSignals(pid: number): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return /^ShdPnd:\s+0+$/m.test(status);
}
