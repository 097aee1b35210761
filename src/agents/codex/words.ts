// The words of a Codex command line: options, then a subcommand, then its own words.
//
// Options may be anywhere before `--`. Some of them take the next word as their value, so that word is neither a
// subcommand nor a prompt.

import { basename } from "node:path";
import { scriptOf } from "../script.js";

export interface CommandWords {
  /** Null if the first word is a prompt, or there is none. */
  subcommand: string | null;
  /** The other words that are not options or their values. */
  rest: string[];
  options: Map<string, (string | null)[]>;
}

/** Null if this process does not run Codex. */
export function commandWords(argv: readonly string[]): CommandWords | null {
  const start = programEnd(argv);
  return start === null ? null : readWords(argv.slice(start));
}

/** npm's script runs the native program as its child, or becomes it: both have the same words behind them. */
function programEnd(argv: readonly string[]): number | null {
  if (basename(argv[0] ?? "") === "codex") return 1;
  const script = scriptOf(argv);
  if (script === null || !isScript(script)) return null;
  return argv.indexOf(script) + 1;
}

export function isScript(script: string): boolean {
  return basename(script) === "codex" || /@openai\/codex\/bin\/codex\.js$/.test(script);
}

function readWords(words: readonly string[]): CommandWords {
  const options: CommandWords["options"] = new Map();
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") {
      plain.push(...words.slice(at + 1));
      break;
    }
    if (!/^-./.test(word)) {
      plain.push(word);
      continue;
    }
    const [, written, joined] = /^(--[^=]+|-[^-])=?(.*)$/s.exec(word) ?? [];
    const name = longNames.get(written!) ?? written!;
    const takesNext = joined === "" && withValue.has(name);
    const value = takesNext ? words[++at] : joined;
    options.set(name, [...(options.get(name) ?? []), value === undefined || value === "" ? null : value]);
  }
  const [first] = plain;
  const isCommand = first !== undefined && subcommands.has(first);
  return { subcommand: isCommand ? first : null, rest: isCommand ? plain.slice(1) : plain, options };
}

const longNames = new Map([
  ["-c", "--config"],
  ["-i", "--image"],
  ["-m", "--model"],
  ["-p", "--profile"],
  ["-s", "--sandbox"],
  ["-C", "--cd"],
  ["-a", "--ask-for-approval"],
  ["-h", "--help"],
  ["-V", "--version"],
]);

const withValue = new Set([
  ...["--config", "--enable", "--disable", "--remote", "--remote-auth-token-env", "--image", "--model"],
  ...["--local-provider", "--profile", "--sandbox", "--cd", "--add-dir", "--ask-for-approval"],
]);

/** Subcommands that open a conversation in the terminal. */
export const conversations: ReadonlySet<string> = new Set(["resume", "fork"]);

const subcommands: ReadonlySet<string> = new Set([
  ...conversations,
  ...["agents", "exec", "e", "review", "login", "logout", "mcp", "mcp-server", "plugin", "app-server", "app"],
  ...[
    "remote-control",
    "completion",
    "update",
    "doctor",
    "sandbox",
    "debug",
    "apply",
    "a",
    "queue",
    "archive",
  ],
  ...[
    "delete",
    "migrate-rollouts",
    "migrate-nfs-db",
    "unarchive",
    "cloud",
    "exec-server",
    "features",
    "help",
  ],
  ...["execpolicy", "responses-api-proxy", "stdio-to-uds"],
]);
