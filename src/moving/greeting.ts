// The first line that a far hivemind says: what it is, and whether we understand each other. Pure.
//
// [GRT1] Only the same protocol is talked; an older or newer far side is refused before anything is asked of it.
// [GRT2] Words of a login script before the greeting are no greeting.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";

/** Changes whenever one side would misunderstand the other. */
export const protocol = 1;

/** How the far side is called there, behind `hivemind`. */
export const farWord = "__moving";

export const greetingMark = "hivemind moving ";

export interface Greeting {
  protocol: number;
  version: string;
  /** Null when a tmux can be asked there; else why not. */
  tmuxTrouble: string | null;
}

export function greetingLine(greeting: Omit<Greeting, "protocol">): string {
  return `${greetingMark}${JSON.stringify({ protocol, ...greeting })}`;
}

/** `text` is what stands behind the mark. */
export function readGreeting(host: string, text: string): Greeting {
  const found = parse(text);
  const version = typeof found.version === "string" ? harmless(found.version).slice(0, 40) : "unknown";
  const theirs = Number.isSafeInteger(found.protocol) ? (found.protocol as number) : 0;
  if (theirs < protocol) throw olderFar(host, `hivemind ${version}`);
  if (theirs > protocol) {
    throw new HiveError(`${host} has a newer hivemind, ${version}: this one does not understand it`, {
      hint: "update this one",
    });
  }
  const tmuxTrouble = typeof found.tmuxTrouble === "string" ? found.tmuxTrouble : null;
  return { protocol: theirs, version, tmuxTrouble };
}

export function olderFar(host: string, what: string): HiveError {
  return new HiveError(`${host} has an older hivemind, which cannot do this (${what})`, {
    hint: `update it there, and look: ssh ${host} hivemind --version`,
  });
}

export function refuseWithoutTmux(host: string, { tmuxTrouble }: Greeting): void {
  if (tmuxTrouble === null) return;
  throw new HiveError(`on ${host}, tmux cannot be asked: ${harmless(tmuxTrouble)}`, {
    hint: `install tmux there, and look: ssh ${host} tmux -V`,
    exitCode: exitCodes.couldNotLook,
  });
}

function parse(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
