import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isWorking } from "../../../../test/working.js";
import type { Box } from "../../box.js";
import { readBox } from "./input-box.js";

const folder = new URL("../../../../test/fixtures/screens/", import.meta.url);
const versions = ["2.1.197", "2.1.325"] as const;
type Version = (typeof versions)[number];

function screen(version: Version, name: string): string[] {
  const text = readFileSync(new URL(`${version}/${name}.txt`, folder), "utf8");
  return text.replace(/\n$/, "").split("\n");
}

/**
 * A box in one line: `/` separates the rows of a draft, `›` marks the option at the cursor, `(text)` a text field.
 */
function told(box: Box): string {
  if (box.kind === "draft" || box.kind === "suggestion")
    return `${box.kind}: ${box.text.replaceAll("\n", " / ")}`;
  if (box.kind !== "dialog") return box.kind;
  const options = box.options.map(
    ({ number, label, isAtCursor, isTextField }) =>
      `${isAtCursor ? "› " : ""}${number} ${label}${isTextField ? " (text)" : ""}`,
  );
  return [`dialog: ${box.question ?? "?"}`, ...options].join(" | ");
}

const allow197 = "2 Yes, and always allow access to hm-client/ from this project | 3 No";
const allow325 =
  "2 Yes, and always allow access to /tmp/hm-client from this project | 3 Yes, and switch to auto mode · auto mode handles these prompts for you | 4 No";
const permission = {
  "2.1.197": `dialog: Do you want to proceed? | › 1 Yes | ${allow197}`,
  "2.1.325": `dialog: Do you want to proceed? | › 1 Yes | ${allow325}`,
};
const question =
  "dialog: Which colour do you want? | › 1 Red The warm one | 2 Blue The cold one | 3 Type something. | 4 Chat about this";
const serverOptions =
  "Use this MCP server | 2 Use this and all future MCP servers in this project | 3 Continue without using this MCP server";
const themes =
  "1 Auto (match terminal) | › 2 Dark mode | 3 Light mode | 4 Dark mode (colorblind-friendly) | 5 Light mode (colorblind-friendly) | 6 Dark mode (ANSI colors only) | 7 Light mode (ANSI colors only)";
const limitMenu =
  "dialog: What do you want to do? | › 1 Stop and wait for limit to reset | 2 Upgrade your plan";

/** The expected box of every screen fixture, by name; two if the versions differ. */
const expected: Record<string, string | Partial<Record<Version, string>>> = {
  idle: "empty",
  "idle-wide-named": "empty",
  "idle-narrow": "empty",
  "idle-narrow-named": "empty",
  "idle-long-name-narrow": "empty",
  "idle-after-reply": "empty",
  "idle-after-long-reply": "empty",
  "idle-after-decoy": "empty",
  "idle-after-decoy-narrow": "empty",
  "idle-asking-mode": "empty",
  "idle-plan-mode": "empty",
  "idle-status-line": "empty",
  "idle-vim": "empty",
  "idle-vim-normal": "empty",
  "idle-shortcuts": "empty",
  "idle-exit-warning": "empty",
  "idle-after-limit-decoy": "empty",
  "idle-after-error-decoy": "empty",
  "idle-after-shell-decoy": "empty",
  "idle-after-own-source": "empty",
  "idle-interrupted": "empty",
  background: "empty",
  "background-narrow": "empty",
  "error-429": "empty",
  "error-500": "empty",
  "error-narrow": "empty",
  "error-login": "empty",
  "error-offline": "empty",
  "error-old": "empty",
  "error-credit": "empty",
  "error-revoked": "empty",
  "error-drawn-plain": "empty",
  "error-said": "empty",
  "error-before-command": "empty",
  "context-too-long": "empty",
  "context-said": "empty",
  small: "none",
  "small-wide": "none",
  limit: "empty",
  "limit-narrow": "empty",
  "limit-weekly": "empty",
  "limit-after-tool": "empty",
  "limit-old": "empty",
  "limit-near": "empty",
  "limit-asked": { "2.1.197": limitMenu, "2.1.325": "empty" },
  "limit-asked-narrow": { "2.1.197": limitMenu, "2.1.325": "empty" },
  "context-low": "empty",
  "context-low-narrow": "empty",
  "context-used": "empty",
  "context-limit": "empty",

  draft: "draft: please look at the build",
  "draft-wide-named": "draft: please look at the build",
  "draft-cursor-inside": "draft: please look at the build",
  "draft-narrow": "draft: please look at the / build of the web client",
  "draft-wrapped":
    "draft: please look at one more thing and one more thing and one more thing and one / more thing and one more thing and one more thing and then stop",
  "draft-two-lines": "draft: first line / second line",
  "draft-two-lines-narrow": "draft: first line / second line",
  "draft-blank-line": "draft: first paragraph /  /   second, indented",
  // 2.1.197 lets the box grow beyond the pane, so its prompt is out of sight.
  "draft-tall": {
    "2.1.197": "none",
    "2.1.325": "draft: line 25 / line 26 / line 27 / line 28 / line 29 / line 30 / the end",
  },
  "draft-pasted": "draft: [Pasted text #1 +39 lines]",
  "draft-shell": "draft: !ls -la",
  "draft-shell-empty": "draft: !",
  "draft-wide-characters": "draft: 構建を見てください 🙂 ok",
  "draft-like-a-dialog": "draft: ❯ 1. Yes, do you want to proceed?",
  "draft-slash-menu": "draft: /mod",
  "draft-file-menu": "draft: look at @no",
  "draft-command-hint": "draft: /rename  [name]",
  "draft-after-decoy": "draft: go on",
  "draft-after-escape": "draft: how is it going?",
  "draft-vim": "draft: please look",
  "draft-spaces": "empty",

  suggestion: "suggestion: run the tests",
  "suggestion-narrow": "suggestion: run the tests",

  busy: "empty",
  "busy-again": "empty",
  "busy-narrow": "empty",
  "busy-asking-mode": "empty",
  "busy-tool": "empty",
  "busy-retrying": "empty",
  "busy-retrying-narrow": "empty",
  "busy-draft": "draft: wait, also this",
  "busy-queued": "suggestion: Press up to edit queued messages",
  "busy-queued-narrow": "suggestion: Press up to edit queued …",

  "dialog-permission": permission,
  "dialog-permission-narrow": permission,
  "dialog-permission-wide": permission,
  "dialog-permission-second-chosen": {
    "2.1.197": `dialog: Do you want to proceed? | 1 Yes | › ${allow197}`,
    "2.1.325": `dialog: Do you want to proceed? | 1 Yes | › ${allow325}`,
  },
  "dialog-edit": {
    "2.1.197":
      "dialog: Do you want to create notes.txt? | › 1 Yes | 2 Yes, allow all edits during this session (shift+tab) | 3 No",
    "2.1.325":
      "dialog: Do you want to create notes.txt? | › 1 Yes | 2 Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab) | 3 No",
  },
  "dialog-plan": {
    "2.1.197": "dialog: Exit plan mode? | › 1 Yes | 2 No",
    "2.1.325":
      "dialog: Exit plan mode? | › 1 Yes, and switch to default (ask each time) for this session | 2 No",
  },
  "dialog-question": question,
  "dialog-auto-mode": { "2.1.325": "dialog: Auto mode can't check actions in this session" },
  "dialog-model": {
    "2.1.197":
      "dialog: Select model | › 1 Default (recommended) | 2 Opus | 3 Sonnet | 4 Sonnet 5 (1M context) | 5 Haiku",
    "2.1.325": "dialog: Select model | › 1 Default (recommended) | 2 Opus | 3 Fable",
  },
  "dialog-model-by-key": {
    "2.1.197":
      "dialog: Select model | › 1 Default (recommended) | 2 Opus | 3 Sonnet | 4 Sonnet 5 (1M context) | 5 Haiku",
    "2.1.325": "dialog: Select model | › 1 Default (recommended) | 2 Opus | 3 Fable",
  },
  "dialog-trust": {
    "2.1.197": "dialog: Do you trust /tmp/hm-client? | › 1 Yes, I trust this folder | 2 No, exit",
    "2.1.325": "dialog: Do you trust /tmp/hm-client? | › 1 No, exit | 2 Yes, I trust this folder",
  },
  "dialog-trust-narrow": {
    "2.1.197": "dialog: Do you trust its folder? | › 1 Yes, I trust this folder | 2 No, exit",
    "2.1.325": "dialog: Do you trust its folder? | › 1 No, exit | 2 Yes, I trust this folder",
  },
  "dialog-status": "dialog: Settings Status Config Usage Stats",
  "dialog-status-narrow": { "2.1.197": "dialog: Sett Sta Con Us St", "2.1.325": "dialog: Settings Status" },
  "dialog-config": "dialog: Settings Status Config Usage Stats",
  "dialog-help": "dialog: Help General Commands Custom commands",
  "dialog-permissions": {
    "2.1.197": "dialog: Permissions Recently denied Allow Ask Deny Workspace | 1 Add a new rule…",
    "2.1.325": "dialog: Permissions Recently blocked Allow Ask Deny Auto mode | 1 Add a new rule…",
  },
  "dialog-resume": "dialog: Resume session",
  "dialog-rewind": "dialog: Rewind",
  "dialog-start-bypass":
    "dialog: Run without any permission prompt (bypass permissions mode)? | › 1 No, exit | 2 Yes, I accept",
  "dialog-start-server": {
    "2.1.197": `dialog: Use the MCP server one of this project? | › 1 ${serverOptions}`,
    "2.1.325": `dialog: Use the MCP server one of this project? | 1 ${serverOptions.replace("3", "› 3")}`,
  },
  "dialog-start-servers": {
    "2.1.197": "dialog: Which of the 2 MCP servers of this project should it use? | › 0 [✔] one | 0 [✔] two",
    "2.1.325":
      "dialog: Which of the 2 MCP servers of this project should it use? | › 0 [✔] one | 0 [✔] two | 3 Enable selected",
  },
  "dialog-start-imports": {
    "2.1.197":
      "dialog: Allow external CLAUDE.md file imports? | › 1 Yes, allow external imports | 2 No, disable external imports",
    "2.1.325":
      "dialog: Allow external CLAUDE.md file imports? | › 1 No, disable external imports | 2 Yes, allow external imports",
  },
  "dialog-start-key": "dialog: Do you want to use this API key? | 1 Yes | › 2 No (recommended)",
  "dialog-start-settings":
    "dialog: Settings Error | › 1 Fix with Claude | 2 Exit and fix manually | 3 Continue without these settings",
  "dialog-start-theme": `dialog: Which theme should it use? | ${themes}`,
  "dialog-start-picker": "dialog: Resume session",
  "dialog-first-notes": "dialog: Press Enter to continue | › 1 Press Enter to continue",
  "dialog-question-several":
    "dialog: Which colours? | › 1 [ ] Red | 2 [ ] Blue | 3 [ ] Type something | 0 Submit | 4 Chat about this",
  "dialog-question-review": "dialog: Ready to submit your answers? | › 1 Submit answers | 2 Cancel",
  "dialog-permission-amended": {
    "2.1.197": `dialog: Do you want to proceed? | › 1 Yes, and tell Claude what to do next (text) | ${allow197}`,
    "2.1.325": `dialog: Do you want to proceed? | › 1 Yes, and tell Claude what to do next (text) | ${allow325}`,
  },
  "history-search": { "2.1.197": "dialog: ?", "2.1.325": "none" },
  "agents-view": "none",
  "transcript-view": "none",
};

function expectedOf(version: Version, name: string): string | undefined {
  const answer = expected[name];
  return typeof answer === "object" ? answer[version] : answer;
}

describe.each(versions)("the screens of %s", (version) => {
  const names = readdirSync(new URL(`${version}/`, folder)).map((file) => file.replace(/\.txt$/, ""));

  it.each(names)("%s is read correctly", (name) => {
    expect(told(readBox(screen(version, name)))).toBe(expectedOf(version, name));
  });

  it("are all expected", () => {
    const listed = Object.keys(expected).filter((name) => expectedOf(version, name) !== undefined);
    expect(names.toSorted()).toEqual(listed.toSorted());
  });

  it.each(names)("%s shows work only if it is busy", (name) => {
    expect(isWorking(screen(version, name))).toBe(name.startsWith("busy"));
  });

  const check = (name: string, answer: string) => expect(told(readBox(screen(version, name)))).toBe(answer);

  it("a conversation that quotes boxes, menus and busy signs is still idle (incident 51)", () => {
    check("idle-after-decoy", "empty");
    check("idle-after-decoy-narrow", "empty");
    expect(isWorking(screen(version, "idle-after-decoy"))).toBe(false);
  });

  it("the box is found above its footer, whatever its height (incident 49)", () => {
    check("idle", "empty");
    check("idle-status-line", "empty");
    check("idle-shortcuts", "empty");
  });

  it("a box above a shell prompt or a dialog is no evidence", () => {
    const idle = screen(version, "idle");
    const bottom = idle.findLastIndex((line) => line !== "") + 1;
    const left = idle.slice(0, bottom);
    expect(told(readBox([...left, "user@host:~$ "]))).toBe("none");
    expect(told(readBox([...left, ...screen(version, "dialog-plan")]))).toBe(
      expectedOf(version, "dialog-plan"),
    );
  });

  it("a box that is cut off is not empty", () => {
    const idle = screen(version, "idle");
    const prompt = idle.findLastIndex((line) => line.includes("❯\u00a0"));
    for (const part of [idle.slice(prompt), idle.slice(0, prompt + 1), idle.slice(prompt + 1), []]) {
      expect(told(readBox(part))).toBe("none");
    }
  });

  it("a box with foreign output in it is not empty", () => {
    const idle = screen(version, "idle");
    const prompt = idle.findLastIndex((line) => line.includes("❯\u00a0"));
    expect(told(readBox(idle.toSpliced(prompt + 1, 0, "Segmentation fault")))).toBe("none");
  });

  it("faint text is a suggestion, and the same text in the normal colour a draft", () => {
    check("suggestion", "suggestion: run the tests");
    const typed = screen(version, "suggestion").map((line) => line.replaceAll("\u001b[0;2m", "\u001b[0m"));
    expect(told(readBox(typed))).toBe("draft: run the tests");
  });

  it("a suggestion after a draft is not part of it", () => {
    const mixed = screen(version, "draft").map((line) =>
      line.replace("the build", "\u001b[2mthe build\u001b[0m"),
    );
    expect(told(readBox(mixed))).toBe("draft: please look at");
  });

  it("a single letter under the cursor is a draft", () => {
    const letter = screen(version, "suggestion").map((line) => line.replace("un the tests", ""));
    expect(told(readBox(letter))).toBe("draft: r");
  });

  it("wrapped and typed rows of a draft stay separate, also at 27 columns (incident 52)", () => {
    check("draft-narrow", "draft: please look at the / build of the web client");
    check("draft-two-lines-narrow", "draft: first line / second line");
  });

  it("the shell mode is a draft before anything is typed", () => check("draft-shell-empty", "draft: !"));

  it("the history search and the list of agents are never an empty box", () => {
    check("history-search", expectedOf(version, "history-search")!);
    check("agents-view", "none");
  });

  it("the footer alone, or the row above the box alone, shows that it works (incident 52)", () => {
    const busy = screen(version, "busy");
    const withoutSpinner = busy.filter((line) => !line.includes("…"));
    const withoutFooter = busy.map((line) => line.replace(/esc.*interrupt/, ""));
    expect([withoutSpinner, withoutFooter].map(isWorking)).toEqual([true, true]);
    const retrying = screen(version, "busy-retrying").map((line) => line.replace(/esc.*interrupt/, ""));
    expect(isWorking(retrying)).toBe(true);
    expect(isWorking(withoutSpinner.map((line) => line.replace(/esc.*interrupt/, "")))).toBe(false);
  });
});
