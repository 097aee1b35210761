// The words of an OpenCode command line: options and other words, in any order.
//
// Some options take the next word as their value, so that word is neither a subcommand nor a folder.

import { basename } from "node:path";

export interface CommandWords {
  /** The words that are neither options nor their values. */
  rest: string[];
  options: Map<string, string | null>;
}

/** npm's package calls the native program `opencode.exe` on every system. */
export function isProgram(path: string): boolean {
  return /^opencode(?:\.exe)?$/.test(basename(path));
}

export function commandWords(argv: readonly string[]): CommandWords {
  const options: CommandWords["options"] = new Map();
  const rest: string[] = [];
  const words = argv.slice(1);
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === "--") {
      rest.push(...words.slice(at + 1));
      break;
    }
    const [, written, joined] = /^(--[^=]+|-[a-z])=?(.*)$/s.exec(word) ?? [];
    if (written === undefined) {
      rest.push(word);
      continue;
    }
    const name = longNames.get(written) ?? written;
    const value = joined === "" && withValue.has(name) ? words[++at] : joined;
    options.set(name, value || null);
  }
  return { rest, options };
}

const longNames = new Map([
  ["-h", "--help"],
  ["-v", "--version"],
  ["-m", "--model"],
  ["-c", "--continue"],
  ["-s", "--session"],
]);

const withValue = new Set([
  ...["--log-level", "--port", "--hostname", "--mdns-domain", "--cors", "--model", "--session", "--prompt"],
  ...["--agent", "--replay-limit"],
]);
