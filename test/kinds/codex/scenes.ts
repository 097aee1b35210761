// What the real program is brought to show, one scene a screen: the list behind the folder `screens`.

import { execFileSync } from "node:child_process";
import { openServer } from "../../../src/agents/codex/app-server.js";
import { titleSetting } from "../../../src/agents/codex/title.js";
import type { CodexOptions, CodexWorld, RealCodex } from "./driver.js";
import type { Reply, StandInApi } from "./stand-in.js";

export interface Scene extends CodexOptions {
  name: string;
  /** What happens before the program starts. */
  prepare?(world: CodexWorld, cwd: string): Promise<CodexOptions>;
  play(codex: RealCodex, api: StandInApi): Promise<void>;
}

const idle = async () => {};

/** Says something, and waits until the screen shows what comes of it. */
function after(reply: Reply, shows: RegExp) {
  return async (codex: RealCodex, api: StandInApi) => {
    api.next(reply);
    await codex.submit("do it");
    await codex.waitForScreen(shows);
  };
}

function pasted(text: string, shows: RegExp) {
  return async (codex: RealCodex) => {
    codex.paste(text);
    await codex.waitForScreen(shows);
  };
}

export const approval: Reply = {
  tool: "exec_command",
  input: {
    cmd: "touch made",
    sandbox_permissions: "require_escalated",
    justification: "May I make the file?",
  },
};

const resets = { resets_at: Math.floor(Date.now() / 1000) + 3 * 24 * 60 * 60 };

export const scenes: readonly Scene[] = [
  { name: "idle", play: idle },
  { name: "idle-small", width: 40, height: 10, play: after({ text: "done" }, /• done/) },
  { name: "answered", play: after({ text: "All is done.\n\n› 1. not a box" }, /Worked for/) },
  { name: "draft", play: pasted("my own draft", /› my own draft/) },
  { name: "draft-lines", play: pasted("first\n\n  third", /third/) },
  {
    name: "draft-tall",
    play: pasted(Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n"), /line 39/),
  },
  { name: "draft-hidden", play: pasted("x".repeat(1_500), /Pasted Content/) },
  { name: "menu-slash", play: pasted("/status", /statusline/) },
  { name: "menu-file", play: pasted("@mad", /esc close/) },
  { name: "slash-unknown", play: pasted("/nothing", /› \/nothing/) },
  { name: "shell-line", play: pasted("!ls", /Shell mode/) },
  { name: "busy", play: after({ text: "late", held: true }, /esc to interrupt/) },
  {
    name: "busy-draft",
    play: async (codex, api) => {
      await after({ text: "late", held: true }, /esc to interrupt/)(codex, api);
      await pasted("more", /tab to queue/)(codex);
    },
  },
  { name: "approval", play: after(approval, /Press enter to confirm/) },
  { name: "error", play: after({ error: 400, message: "bad thing" }, /■/) },
  { name: "overloaded", play: after({ error: 500 }, /■/) },
  {
    name: "limited",
    play: after(
      {
        error: 429,
        code: "usage_limit_reached",
        message: "The limit",
        more: { plan_type: "plus", ...resets },
      },
      /■[\s\S]*try again/,
    ),
  },
  {
    name: "context-full",
    play: after({ failed: { code: "context_length_exceeded", message: "full" } }, /■/),
  },
  {
    name: "interrupted",
    play: async (codex, api) => {
      await after({ text: "late", held: true }, /esc to interrupt/)(codex, api);
      codex.keys("Escape");
      await codex.waitForScreen(/■ Conversation interrupted/);
    },
  },
  {
    name: "status",
    play: async (codex) => {
      await codex.submit("/status");
      await codex.waitForScreen(/Session:/);
    },
  },
  {
    name: "picker",
    play: async (codex) => {
      await codex.submit("/model");
      await codex.waitForScreen(/Select Model/);
    },
  },
  {
    name: "trust",
    isTrusted: false,
    ready: /Trust this folder/,
    // It trusts a folder that is no repository without a question.
    prepare: async (_, cwd) => {
      execFileSync("git", ["init", "-q", cwd]);
      return {};
    },
    play: idle,
  },
  {
    name: "resume-folder",
    ready: /Working directory/,
    prepare: async ({ serve, home }, _cwd) => {
      const id = await serve(async (wire) => (await openServer(wire)).create(home.work, "role"));
      return { args: ["resume", "--no-daemon", id] };
    },
    play: idle,
  },
  {
    name: "locked",
    ready: /open in another app/,
    prepare: async (world, cwd) => {
      const id = await world.serve(async (wire) => (await openServer(wire)).create(cwd, "role"));
      await world.start({ cwd, args: ["resume", "--no-daemon", id] });
      return { args: ["resume", "--no-daemon", id] };
    },
    play: idle,
  },
  { name: "titled", args: ["--no-daemon", "-c", titleSetting], play: after({ text: "ok" }, /Worked/) },
];
