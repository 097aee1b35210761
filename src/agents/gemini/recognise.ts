// Which processes are Gemini CLI in a conversation.
//
// - The program is two processes of node with the same arguments: the first one starts the second and waits for it.
//   The second holds the conversation.
// - A process that answers once and ends, serves another program or only lists something is not a conversation.

import { basename } from "node:path";
import type { ProcessInfo } from "../../base/system/process.js";
import { scriptOf } from "../script.js";

export function recognises({ args }: ProcessInfo): boolean {
  return isGemini(args) && !args.some(endsAtOnce) && !services.has(firstWord(args));
}

/** A global install is a link called `gemini`; npm's own link points to the bundle. */
export function isGemini(args: readonly string[]): boolean {
  if (basename(args[0] ?? "") === "gemini") return true;
  const script = scriptOf(args) ?? "";
  return basename(script) === "gemini" || /@google\/gemini-cli\/.*gemini\.js$/.test(script);
}

/** The arguments after the program's own name. */
export function ownArguments(args: readonly string[]): readonly string[] {
  const script = scriptOf(args);
  return args.slice(script === null ? 1 : args.indexOf(script) + 1);
}

const services = new Set("extension extensions gemma hook hooks mcp skill skills".split(" "));

function firstWord(args: readonly string[]): string {
  return ownArguments(args)[0] ?? "";
}

function endsAtOnce(word: string): boolean {
  return /^(-p|--prompt|--acp|--experimental-acp|--list-sessions|--list-extensions|-l|--delete-session|-v|--version|--print|-h|--help)(=|$)/.test(
    word,
  );
}
