import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LastTurn } from "../../../transcripts/transcript.js";
import { readBox } from "./input-box.js";
import { promptForm, readActivity, troubleWords } from "./screen.js";

const folder = new URL("../../../../test/fixtures/screens/", import.meta.url);
const versions = ["2.1.197", "2.1.325"] as const;
type Version = (typeof versions)[number];

// A footer names no time zone: the captured client ran in this one.
process.env.TZ = "UTC";
/** The screens with limits were captured a few minutes earlier. */
const nowMs = Date.parse("2026-11-15T13:30:00Z");

function screen(version: Version, name: string): string[] {
  const text = readFileSync(new URL(`${version}/${name}.txt`, folder), "utf8");
  return text.replace(/\n$/, "").split("\n");
}

function shownActivity(lines: readonly string[], atMs = nowMs): string {
  const seen = readActivity(lines, atMs);
  if (seen === null) return "unknown";
  const until = seen.untilMs === null ? "" : ` until ${new Date(seen.untilMs).toISOString().slice(0, 13)}h`;
  return `${seen.activity}${seen.about === null ? "" : `: ${seen.about}`}${until}`;
}

type Expected = string | Partial<Record<Version, string>>;
const both = (older: string, newer: string): Expected => ({ "2.1.197": older, "2.1.325": newer });
const limited = both(
  "limited: session limit until 2026-11-15T15h",
  "limited: 5-hour limit until 2026-11-15T15h",
);
// Only the client's own notice is visible.
const limitedOutOfSight = both(
  "limited: session limit until 2026-11-15T15h",
  "limited: usage limit until 2026-11-15T15h",
);
const limitAsked = both("waiting: What do you want to do?", "limited: usage limit until 2026-11-15T15h");

/** The expected beginning of the answer, by the screen's name or its longest prefix. */
const expected: Record<string, Expected> = {
  idle: "idle",
  draft: "idle",
  // 2.1.197 lets the box grow beyond the pane, so its prompt is out of sight.
  "draft-tall": both("unknown", "idle"),
  suggestion: "idle",
  busy: "busy",
  background: "busy",
  "error-429": "error: API Error: Request rejected",
  "error-500": "error: API Error: 500 scripted by t",
  "error-narrow": "error: API Error: 500 scripted by t",
  "error-login": "error: Please run /login · API Err",
  "error-offline": both("error: API Error: Unable to connec", "error: API Error: Connection refus"),
  "error-old": "idle",
  "error-credit": "error: Credit balance too low",
  "error-revoked": "error: OAuth token revoked",
  // 2.1.197 draws it like an answer: only the transcript shows that it is an error.
  "error-drawn-plain": both("idle", "error: There's an issue with the selected"),
  // Drawn like an error: only the transcript shows that it is not.
  "error-said": "error: API Error: 500 is what",
  "error-before-command": "idle",
  "context-too-long": "context-low: Prompt is too long",
  "context-said": "context-low: Context limit reached",
  small: "unknown: its pane is too small",
  limit: limited,
  "limit-narrow": limitedOutOfSight,
  "limit-after-tool": limited,
  "limit-weekly": "limited: weekly limit until 2026-11-18T13h",
  "limit-asked": limitAsked,
  "limit-old": "idle",
  "limit-near": "idle",
  "context-low": "context-low: Context low (0% remaining)",
  "context-low-narrow": "context-low: Context low (0% remain…",
  "context-used": "context-low: 89% context used",
  "context-limit": "context-low: Context limit reached · /co",
  "dialog-permission": "waiting: Do you want to proceed?",
  "dialog-permissions": both("waiting: Permissions Recently denied", "waiting: Permissions Recently block"),
  "dialog-edit": "waiting: Do you want to create notes",
  "dialog-plan": "waiting: Exit plan mode?",
  "dialog-question": "waiting: Which colour do you want?",
  "dialog-auto-mode": "waiting: Auto mode can't check actio",
  "dialog-model": "waiting: Select model",
  "dialog-trust": "waiting: Do you trust /tmp/hm-client?",
  "dialog-trust-narrow": "waiting: Do you trust its folder?",
  "dialog-start": "waiting: ",
  "dialog-first-notes": "waiting: Press Enter to continue",
  "dialog-question-several": "waiting: Which colours?",
  "dialog-question-review": "waiting: Ready to submit your answer",
  "dialog-status": "waiting: Settings Status Config Usag",
  "dialog-status-narrow": both("waiting: Sett Sta Con Us St", "waiting: Settings Status"),
  "dialog-config": "waiting: Settings Status Config Usag",
  "dialog-help": "waiting: Help General Commands Custo",
  "dialog-resume": "waiting: Resume session",
  "dialog-rewind": "waiting: Rewind",
  "history-search": both("waiting: its prompt search", "unknown"),
  "agents-view": "unknown: its list of agents is open",
  "transcript-view": "unknown: its transcript view is open",
};

function expectedOf(version: Version, name: string): string | undefined {
  const fits = Object.keys(expected).filter((each) => name === each || name.startsWith(`${each}-`));
  const [longest = ""] = fits.sort((a, b) => b.length - a.length);
  const answer = expected[longest];
  return typeof answer === "object" ? answer[version] : answer;
}

describe.each(versions)("the screens of %s", (version) => {
  const names = readdirSync(new URL(`${version}/`, folder)).map((file) => file.replace(/\.txt$/, ""));

  it.each(names)("%s is read as its name says", (name) => {
    const answer = expectedOf(version, name) ?? "nothing is expected of it";
    expect(shownActivity(screen(version, name)).slice(0, answer.length)).toBe(answer);
  });

  it.each(names)("%s matches the trouble words if it shows trouble beside an idle prompt", (name) => {
    const hasTrouble = /^(limited|error|context-low)/.test(shownActivity(screen(version, name)));
    const isMarked = screen(version, name).some((line) => new RegExp(troubleWords).test(plain(line)));
    expect(isMarked || !hasTrouble).toBe(true);
  });

  it.each(names)("%s matches the prompt form if it shows an idle client", (name) => {
    const isIdle =
      readBox(screen(version, name)).kind !== "suggestion" && shownActivity(screen(version, name)) === "idle";
    const isMarked = screen(version, name).some((line) => new RegExp(promptForm).test(plain(line)));
    expect(isMarked || !isIdle).toBe(true);
  });

  const check = (name: string, answer: string) => expect(shownActivity(screen(version, name))).toBe(answer);

  it("the last line is the status bar, not the prompt (incident 49)", () => {
    check("idle", "idle");
    check("idle-status-line", "idle");
    for (const bar of ["main · 45% context used · 3 errors · limit 80%", "45% context used", "Context low"]) {
      expect(shownActivity(withStatusBar(screen(version, "busy"), bar))).toBe("busy");
      expect(shownActivity(withStatusBar(screen(version, "idle"), bar))).toBe("idle");
    }
  });

  it("a limit above a later answer is over; one at an empty prompt is not (incident 50)", () => {
    check("limit-old", "idle");
    check("error-old", "idle");
    expect(shownActivity(screen(version, "limit"))).toMatch(/^limited/);
  });

  it("prompts, limits and errors quoted in a conversation do not count, nor does this program's source (incident 51)", () => {
    for (const decoy of ["", "-limit", "-error", "-shell"]) check(`idle-after${decoy}-decoy`, "idle");
    check("idle-after-own-source", "idle");
  });

  it("words cut or wrapped at 27 columns still count (incident 52)", () => {
    for (const name of ["busy-narrow", "background-narrow"]) check(name, "busy");
    for (const name of ["limit", "error", "context-low", "dialog-permission"])
      expect(shownActivity(screen(version, `${name}-narrow`))).not.toMatch(/^(idle|unknown)/);
  });

  it("an idle prompt with background work is busy (incident 53)", () => check("background", "busy"));

  it("an agent with only a suggestion in its box is idle", () => check("suggestion", "idle"));

  it("an empty screen and a shell's screen say nothing", () => {
    for (const lines of [[], [""], Array(24).fill(""), ["user@host:~$ claude", "", "user@host:~$ "]])
      expect(shownActivity(lines)).toMatch(/^unknown: its (screen shows no|pane is too small)/);
  });

  it("what an ended client left on a shell's screen says nothing", () => {
    for (const name of ["limit", "error-500", "idle"])
      expect(
        shownActivity([...screen(version, name).filter((line) => line !== ""), "user@host:~$ "]),
      ).toMatch(/^unknown/);
  });

  it("without colours the last words do not count", () => {
    for (const name of ["limit", "error-500", "context-limit"])
      expect(shownActivity(screen(version, name).map(plain))).toBe("idle");
  });

  it("words in the colours of a conversation are not the client's", () => {
    const asSaid = screen(version, "error-500").map((line) => line.replaceAll("38;5;220m", "39m"));
    expect(shownActivity(asSaid)).toBe("idle");
    // Like a reply that begins with coloured code: only the sign keeps its own colour.
    const asCode = screen(version, "error-500").map((line) => line.replace("38;5;220m", "38;5;231m"));
    expect(shownActivity(asCode)).toBe("idle");
  });

  it.each([...names, "nothing"])("%s is idle only with a visible input box", (name) => {
    const lines = name === "nothing" ? [] : screen(version, name);
    const hasBox = ["empty", "suggestion", "draft"].includes(readBox(lines).kind);
    expect(hasBox || !shownActivity(lines).startsWith("idle")).toBe(true);
  });

  it("a suspended client is unknown, with that reason", () => {
    const lines = [...screen(version, "idle"), "Claude Code has been suspended. Run `fg` to bring it back."];
    expect(shownActivity(lines)).toBe("unknown: it is suspended (ctrl+z)");
  });

  const tell = (name: string, end: LastTurn["end"], words: string, atMs: number | null = nowMs) => {
    const lines = name === "" ? null : screen(version, name);
    const seen = readActivity(lines, nowMs, { end, words, atMs });
    return seen === null ? "nothing" : `${seen.activity} ${seen.source ?? "screen"}`;
  };
  const failed = "API Error: 500 oops";

  it.each<[string, string, LastTurn["end"], string, string]>([
    ["a failed turn", "error-500", "error", failed, "error screen"],
    ["a failed turn drawn like an answer", "error-drawn-plain", "error", "There's an issue", "error"],
    ["a failed turn out of sight", "idle", "error", "of a new kind", "error transcript"],
    ["a failed turn without a captured screen", "", "error", failed, "error transcript"],
    ["a full context", "", "error", "Prompt is too long · 250000 tokens", "context-low transcript"],
    ["a limit", "", "error", "You've hit your weekly limit", "limited transcript"],
    ["an answer without a captured screen", "", "answer", failed, "nothing"],
    ["the model's own words", "error-said", "answer", "API Error: 500 is what", "idle screen"],
    [
      "the model's words that the client redraws",
      "context-said",
      "answer",
      "Prompt is too long",
      "idle screen",
    ],
    ["an error after an answer, not on disk yet", "error-500", "answer", "fine", "error screen"],
    ["an error after its prompt, not on disk yet", "error-500", "prompt", "", "error screen"],
    ["an error before a later prompt", "error-500", "prompt", failed, "idle screen"],
    ["a failed turn under a dialog", "dialog-model-by-key", "error", failed, "waiting screen"],
    ["a failed turn under a view", "transcript-view", "error", failed, "unknown screen"],
    ["a failed turn, then work again", "busy", "error", failed, "busy screen"],
  ])("the transcript decides: %s", (_, name, end, words, answer) => {
    expect(tell(name, end, words).slice(0, answer.length)).toBe(answer);
  });

  it("yesterday's limit is over, although its clock time comes again", () => {
    const words = "You've hit your session limit · resets 5pm (UTC)";
    expect(tell("", "error", words)).toBe("limited transcript");
    expect(tell("", "error", words, nowMs - 24 * 3_600_000)).toBe("nothing");
  });

  it("a limit is over when its time has passed", () => {
    const weekly = screen(version, "limit-weekly");
    expect(shownActivity(weekly, Date.parse("2026-11-18T13:10:00Z"))).toMatch(/^limited/);
    expect(shownActivity(weekly, Date.parse("2026-11-18T13:20:00Z"))).toBe("idle");
    expect(shownActivity(screen(version, "limit"), Date.parse("2026-11-15T15:30:00Z"))).toBe("idle");
  });
});

function plain(line: string): string {
  return line.replace(/\u001b\[[\d;:]*m/g, "");
}

/** A custom row below everything. */
function withStatusBar(lines: string[], bar: string): string[] {
  const end = lines.findLastIndex((line) => plain(line).trim() !== "") + 1;
  return [...lines.slice(0, end), `  ${bar}`];
}
