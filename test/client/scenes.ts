// What the real client is brought to show, one scene a screen: the list behind test/fixtures/screens.

import type { StandInApi } from "./api.js";
import type { RealClient } from "./client.js";
import type { ClientVersion } from "./install.js";

export interface Scene {
  name: string;
  /** A screen that one version alone has. */
  only?: ClientVersion;
  width?: number;
  height?: number;
  args?: string[];
  env?: Record<string, string>;
  settings?: Record<string, unknown>;
  isTrusted?: boolean;
  ready?: RegExp;
  /** Shown for a moment only: taken as it is when `play` ends, not once it has settled. */
  fleeting?: boolean;
  play(client: RealClient, api: StandInApi): Promise<unknown>;
}

const narrow = { width: 27, height: 24 };
const wide = { width: 200, height: 50 };
const asking = ["--permission-mode", "default"];
const waiting = { command: "timeout 20 tail -f /dev/null", description: "Wait" };

export const scenes: Scene[] = [
  { name: "idle", play: idle },
  { name: "idle-wide-named", ...wide, args: ["-n", "team-lead"], play: idle },
  { name: "idle-narrow", ...narrow, play: idle },
  { name: "idle-narrow-named", ...narrow, args: ["-n", "team-lead"], play: idle },
  { name: "idle-after-reply", play: talk("All done. The build is green.") },
  { name: "idle-after-decoy", play: talk(decoy()) },
  { name: "idle-after-decoy-narrow", ...narrow, play: talk(decoy()) },
  { name: "idle-asking-mode", args: asking, play: idle },
  { name: "idle-plan-mode", args: ["--permission-mode", "plan"], play: idle },
  {
    name: "idle-status-line",
    settings: { statusLine: { type: "command", command: "echo '❯ mine │ main'" } },
    play: shows("❯ mine"),
  },
  { name: "idle-vim", settings: { editorMode: "vim" }, play: shows("INSERT") },
  {
    name: "idle-vim-normal",
    settings: { editorMode: "vim" },
    play: after(shows("INSERT"), keys(["Escape"], ".")),
  },
  { name: "idle-long-name-narrow", ...narrow, args: ["-n", "the-lead-of-the-whole-web-team"], play: idle },
  {
    name: "idle-after-long-reply",
    play: talk(Array.from({ length: 40 }, (_, n) => `- point ${n}`).join("\n")),
  },
  { name: "idle-shortcuts", play: typing("?", "newline") },
  { name: "idle-exit-warning", fleeting: true, play: keys(["C-c"], "again to exit") },
  { name: "error-500", play: failing(500) },
  { name: "error-429", play: failing(429) },

  { name: "draft", play: typing("please look at the build") },
  { name: "draft-wide-named", ...wide, args: ["-n", "team-lead"], play: typing("please look at the build") },
  { name: "draft-narrow", ...narrow, play: typing("please look at the build of the web client", "client") },
  {
    name: "draft-wrapped",
    play: typing(`please look at ${"one more thing and ".repeat(6)}then stop`, "then stop"),
  },
  { name: "draft-two-lines", play: twoLines },
  { name: "draft-two-lines-narrow", ...narrow, play: twoLines },
  { name: "draft-blank-line", play: blankLine },
  { name: "draft-tall", play: tall },
  { name: "draft-pasted", play: pasted },
  { name: "draft-shell", play: typing("!ls -la", "ls -la") },
  { name: "draft-shell-empty", play: typing("!", "! ") },
  { name: "draft-wide-characters", play: typing("構建を見てください 🙂 ok") },
  { name: "draft-like-a-dialog", play: typing("❯ 1. Yes, do you want to proceed?") },
  { name: "draft-slash-menu", play: typing("/mod", "/model") },
  { name: "draft-file-menu", play: typing("look at @no", "@no") },
  { name: "draft-after-escape", play: after(busy, keys(["Escape"], "❯\\u00a0how is it")) },
  { name: "draft-command-hint", play: typing("/rename ", "/rename") },
  { name: "draft-after-decoy", play: after(talk(decoy()), typing("go on")) },
  { name: "draft-cursor-inside", play: cursorInside },
  { name: "draft-vim", settings: { editorMode: "vim" }, play: typing("please look") },
  { name: "draft-spaces", play: typing("   ", "") },

  { name: "suggestion", env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "1" }, play: suggested },
  {
    name: "suggestion-narrow",
    ...narrow,
    env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "1" },
    play: suggested,
  },

  { name: "busy", play: busy },
  { name: "busy-narrow", ...narrow, play: busy },
  { name: "busy-asking-mode", args: asking, play: busy },
  { name: "busy-draft", play: after(busy, typing("wait, also this")) },
  { name: "busy-queued", play: after(busy, queued) },
  { name: "busy-queued-narrow", ...narrow, play: after(busy, queued) },
  {
    name: "busy-tool",
    args: [...asking, "--allowedTools", "Bash"],
    play: tool("Bash", waiting, "Running|…"),
  },
  { name: "busy-again", play: after(talk("fine"), busy) },

  { name: "dialog-permission", args: asking, play: permission },
  { name: "dialog-permission-narrow", ...narrow, args: asking, play: permission },
  { name: "dialog-permission-wide", ...wide, args: asking, play: permission },
  { name: "dialog-permission-second-chosen", args: asking, play: after(permission, keys(["Down"], "❯ 2")) },
  {
    name: "dialog-edit",
    args: asking,
    play: tool("Write", { file_path: "/tmp/hm-client/notes.txt", content: "❯ one\ntwo\n" }, "Do you want"),
  },
  {
    name: "dialog-plan",
    args: ["--permission-mode", "plan"],
    play: tool("ExitPlanMode", { plan: "1. Look\n2. Leap" }, "❯ 1"),
  },
  { name: "dialog-question", play: question },
  {
    name: "dialog-auto-mode",
    only: "2.1.325",
    args: ["--allowedTools", "Bash"],
    play: tool("Bash", waiting, "Esc to cancel"),
  },
  { name: "dialog-status", play: command("/status", "Session ID") },
  { name: "dialog-status-narrow", ...narrow, play: command("/status", "Session") },
  { name: "dialog-model", play: command("/model", "❯ 1") },
  { name: "dialog-resume", play: after(talk("fine"), command("/resume", "Resume session")) },
  { name: "dialog-config", play: command("/config", "Auto-compact") },
  { name: "dialog-help", play: command("/help", "shortcuts|commands") },
  { name: "dialog-permissions", play: command("/permissions", "Allow") },
  { name: "dialog-rewind", play: after(talk("fine"), keys(["Escape", "Escape"], "Rewind")) },
  { name: "dialog-trust", isTrusted: false, ready: /trust/, play: shows("Yes") },
  { name: "dialog-trust-narrow", ...narrow, isTrusted: false, ready: /trust/, play: shows("Yes") },
  { name: "transcript-view", play: after(talk("fine"), keys(["C-o"], "ctrl.o")) },
  { name: "history-search", play: after(talk("fine"), keys(["C-r"], "search|Search")) },
];

function idle(client: RealClient): Promise<unknown> {
  return client.waitForStatus("idle");
}

function decoy(): string {
  const rule = "─".repeat(24);
  return `Here is what such a screen looks like:\n\n${rule}\n❯ 1. Yes\n  2. No\n${rule}\n\nDo you want to proceed?\n\n❯ rm -rf build\n\n✻ Thinking… (esc to interrupt)\n`;
}

async function suggested(client: RealClient, api: StandInApi): Promise<unknown> {
  api.suggest("run the tests");
  for (const turn of ["one", "two", "three"]) {
    api.next({ text: `answer ${turn}` });
    await client.submit(`question ${turn}`);
    await client.waitForScreen(new RegExp(`answer ${turn}`));
    await client.waitForStatus("idle");
  }
  return client.waitForScreen(/❯\u00a0run the tests/);
}

async function busy(client: RealClient, api: StandInApi): Promise<unknown> {
  api.next({ text: "done at last", held: true });
  await client.submit("how is it going?");
  await client.waitForStatus("busy");
  return client.waitForScreen(/…/);
}

async function queued(client: RealClient): Promise<unknown> {
  await client.submit("and then the docs");
  return client.waitForScreen(/up to edit/);
}

function permission(client: RealClient, api: StandInApi): Promise<unknown> {
  return tool("Bash", { command: "rm -rf build", description: "Remove the build" }, "1. Yes")(client, api);
}

function question(client: RealClient, api: StandInApi): Promise<unknown> {
  const options = [
    { label: "Red", description: "The warm one" },
    { label: "Blue", description: "The cold one" },
  ];
  const questions = [
    { question: "Which colour do you want?", header: "Colour", options, multiSelect: false },
  ];
  return tool("AskUserQuestion", { questions }, "1. Red")(client, api);
}

type Play = Scene["play"];

function after(first: Play, then: Play): Play {
  return async (client, api) => {
    await first(client, api);
    await then(client, api);
  };
}

function talk(text: string): Play {
  return async (client, api) => {
    api.next({ text });
    await client.submit("how is it going?");
    await client.waitForScreen(/ for \ds/);
    await client.waitForStatus("idle");
  };
}

function tool(name: string, input: Record<string, unknown>, shown: string): Play {
  return async (client, api) => {
    api.next({ tool: name, input });
    await client.submit("how is it going?");
    await client.waitForScreen(new RegExp(shown));
  };
}

function command(text: string, shown: string): Play {
  return async (client) => {
    await client.submit(text);
    await client.waitForScreen(new RegExp(shown));
  };
}

function failing(error: 429 | 500): Play {
  return async (client, api) => {
    api.next({ error });
    await client.submit("how is it going?");
    await client.waitForScreen(new RegExp(`${error}|scripted`));
    await client.waitForStatus("idle");
  };
}

function typing(text: string, shown = text): Play {
  return async (client) => {
    client.type(text);
    await client.waitForScreen(new RegExp(shown.replace(/[.?*+()[\]{}|\\^$]/g, "\\$&")));
  };
}

function shows(text: string): Play {
  return (client) => client.waitForScreen(new RegExp(text));
}

function keys(names: string[], shown: string): Play {
  return async (client) => {
    client.keys(...names);
    await client.waitForScreen(new RegExp(shown));
  };
}

async function twoLines(client: RealClient): Promise<unknown> {
  client.type("first line\\");
  await client.waitForScreen(/line\\/);
  client.keys("Enter");
  await client.waitForScreen(/first line *\n/);
  client.type("second line");
  return client.waitForScreen(/second line/);
}

async function blankLine(client: RealClient): Promise<unknown> {
  client.paste("first paragraph\n\n  second, indented");
  return client.waitForScreen(/indented/);
}

async function tall(client: RealClient): Promise<unknown> {
  for (let n = 1; n <= 30; n++) {
    client.type(`line ${n}`);
    await client.waitForScreen(new RegExp(`line ${n}\\s`));
    client.keys("C-j");
  }
  client.type("the end");
  return client.waitForScreen(/the end/);
}

async function pasted(client: RealClient): Promise<unknown> {
  client.paste(Array.from({ length: 40 }, (_, n) => `pasted line ${n}`).join("\n"));
  return client.waitForScreen(/Pasted text|line 39/);
}

async function cursorInside(client: RealClient): Promise<unknown> {
  client.type("please look at the build");
  await client.waitForScreen(/the build/);
  client.keys("Home");
  for (let n = 0; n < 3; n++) client.keys("Right");
  return client.settled();
}
