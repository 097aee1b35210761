// What the real client is brought to show, one scene a screen: the list behind test/fixtures/screens.

import { amended, questions, reviewed, type StartUp, startUps } from "./dialog-plays.js";
import type { ClientVersion } from "./install.js";
import {
  after,
  background,
  blankLine,
  busy,
  command,
  cursorInside,
  deadEnd,
  decoy,
  dismissed,
  entered,
  failing,
  filled,
  idle,
  keys,
  limitDecoy,
  limited,
  limitedBehind,
  nearLimit,
  offline,
  overfilled,
  ownSource,
  type Play,
  pasted,
  permission,
  question,
  queued,
  retrying,
  shows,
  subscriber,
  suggested,
  talk,
  tall,
  tool,
  twoLines,
  typing,
} from "./plays.js";

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
  /** What lies there before the client starts. */
  prepare?: StartUp["prepare"];
  /** Shown for a moment only: taken as it is when `play` ends, not once it has settled. */
  fleeting?: boolean;
  play: Play;
}

const narrow = { width: 27, height: 24 };
const wide = { width: 200, height: 50 };
const asking = ["--permission-mode", "default"];
const smallWindow = { args: ["--model", "claude-haiku-4-5"], env: { DISABLE_AUTO_COMPACT: "1" } };
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
  { name: "idle-after-limit-decoy", play: talk(limitDecoy()) },
  { name: "idle-after-error-decoy", play: talk("Then it says:\n\n● API Error: 500 try again\n") },
  {
    name: "idle-after-shell-decoy",
    play: after(typing('!echo "You\'ve hit your session limit · resets 3pm"', "resets 3pm"), entered),
  },
  { name: "idle-after-own-source", play: talk(ownSource()) },
  {
    name: "idle-interrupted",
    args: [...asking, "--allowedTools", "Bash"],
    play: after(tool("Bash", waiting, "Running|…"), keys(["Escape"], "Interrupted")),
  },

  { name: "background", args: [...asking, "--allowedTools", "Bash"], play: background },
  { name: "background-narrow", ...narrow, args: [...asking, "--allowedTools", "Bash"], play: background },

  { name: "error-500", play: failing(500) },
  { name: "error-429", play: failing(429) },
  { name: "error-narrow", ...narrow, play: failing(500) },
  { name: "error-login", play: failing(401, "login") },
  { name: "error-offline", env: { ANTHROPIC_BASE_URL: deadEnd }, play: offline },
  { name: "error-credit", play: failing(400, "too low", "Your credit balance is too low to access the API") },
  { name: "error-revoked", play: failing(403, "revoked", "OAuth token has been revoked") },
  { name: "error-drawn-plain", play: failing(404, "issue with", "model: nobody") },
  { name: "error-said", play: talk("API Error: 500 is what the client says when the server fails.") },
  { name: "error-before-command", play: after(failing(500), command("/rename bob", "renamed")) },
  { name: "error-old", play: after(failing(500), talk("All done. The build is green.")) },

  { name: "limit-asked", env: subscriber, play: limited() },
  { name: "limit-asked-narrow", ...narrow, env: subscriber, play: limited() },
  { name: "limit", env: subscriber, play: after(limited(), dismissed) },
  { name: "limit-narrow", ...narrow, env: subscriber, play: after(limited(), dismissed) },
  { name: "limit-weekly", env: subscriber, play: after(limited("seven_day"), dismissed) },
  {
    name: "limit-after-tool",
    env: subscriber,
    args: [...asking, "--allowedTools", "Bash"],
    play: after(
      limitedBehind({ tool: "Bash", input: { command: "echo fine", description: "Say" } }),
      dismissed,
    ),
  },
  {
    name: "limit-old",
    env: subscriber,
    play: after(after(limited(), dismissed), talk("All done. The build is green.")),
  },
  { name: "limit-near", env: subscriber, play: nearLimit },

  { name: "context-low", ...smallWindow, play: filled(185_000, "Context low") },
  { name: "context-low-narrow", ...narrow, ...smallWindow, play: filled(185_000, "Context low|Context") },
  { name: "context-used", args: smallWindow.args, play: filled(160_000, "context used") },
  { name: "context-limit", ...smallWindow, play: after(filled(199_000, "hm"), overfilled) },

  {
    name: "context-too-long",
    play: failing(400, "too long", "prompt is too long: 250000 tokens > 200000 maximum"),
  },
  { name: "context-said", play: talk("Prompt is too long") },

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
  { name: "busy-retrying", env: { CLAUDE_CODE_MAX_RETRIES: "10" }, fleeting: true, play: retrying },
  {
    name: "busy-retrying-narrow",
    width: 30,
    env: { CLAUDE_CODE_MAX_RETRIES: "10" },
    fleeting: true,
    play: retrying,
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
  { name: "dialog-model-by-key", play: after(talk("fine"), keys(["M-p"], "Select model")) },
  { name: "small", width: 4, height: 4, ready: /─/, play: idle },
  { name: "small-wide", height: 2, ready: /./, play: idle },
  { name: "transcript-view", play: after(talk("fine"), keys(["C-o"], "ctrl.o")) },
  { name: "history-search", play: after(talk("fine"), keys(["C-r"], "search|Search")) },

  ...startUpScenes(),
  {
    name: "dialog-first-notes",
    ...startUps.theme.options,
    prepare: startUps.theme.prepare,
    play: keys(["Enter"], "Press Enter to continue"),
  },
  { name: "dialog-question-several", play: questions(true) },
  { name: "dialog-question-review", play: after(questions(true), reviewed) },
  { name: "dialog-permission-amended", args: asking, play: after(permission, amended) },
];

function startUpScenes(): Scene[] {
  const { trust: _, ...others } = startUps;
  return Object.entries<StartUp>(others).map(([name, { options, prepare }]) => ({
    name: `dialog-start-${name}`,
    ...options,
    ...(prepare === undefined ? {} : { prepare }),
    play: shows(options.ready.source),
  }));
}
