// Asks a hivemind on another host over ssh, with one connection per command.
//
// - Nothing is asked before the other host has greeted with the same protocol. An older or newer one is refused.
// - Output of a login script before the greeting is skipped.
// - A host that only sends keep-alives is given up after a while.
// - However the connection ends, the error has the reason. A refusal of the other host is passed on in its words,
//   with its name.

import { exitCodes, HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { jsonObject } from "../../base/text/json-object.js";
import { limits } from "../../limits.js";
import type { Host } from "../../names/gates.js";
import { SshError } from "../../ssh/error.js";
import { type FarProgram, runFar } from "../../ssh/ssh.js";
import type { TeamWorld } from "../../teams/world.js";
import { type Message, openWire, type Wire, WireBroken } from "./wire.js";

export interface Far {
  host: Host;
  greeting: Greeting;
  /** `hear` gets the messages before the answer, and may read and write on the wire. */
  ask(request: Message, hear?: Hear): Promise<Message>;
}

type Hear = (message: Message, wire: Wire) => Promise<void>;

type FarVoice = Pick<TeamWorld, "env" | "progress" | "say" | "interrupted">;

/** Closes the connection when `work` is done. */
export async function withFar<T>(host: Host, voice: FarVoice, work: (far: Far) => Promise<T>): Promise<T> {
  const program = runFar(host, ["hivemind", farWord], voice.env);
  const stop = () => program.close();
  voice.interrupted.addEventListener("abort", stop, { once: true });
  try {
    voice.progress(`asking ${host}`);
    const wire = openWire(program.stdout, program.stdin, limits.farSilenceMs);
    const greeting = await greet(host, program, wire);
    voice.progress(null);
    const asking = (request: Message, hear?: Hear) => askOver(wire, request, { host, voice, hear });
    return await work({ host, greeting, ask: asking });
  } catch (error) {
    if (voice.interrupted.aborted) throw stopped();
    if (!(error instanceof WireBroken)) throw error;
    if (error.isSilence) throw new SshError("timeout", host, error.message);
    throw await program.failure(true);
  } finally {
    voice.progress(null);
    voice.interrupted.removeEventListener("abort", stop);
    program.close();
  }
}

/** A login script may be slow, and print anything. */
async function greet(host: Host, program: FarProgram, wire: Wire): Promise<Greeting> {
  const line = await wire.readGreeting(greetingMark);
  if (line !== null) return readGreeting(host, line);
  const failure = await program.failure(false);
  if (failure.farExitCode === exitCodes.usage) throw olderFar(host, "it does not have this command");
  throw failure;
}

export interface Asking {
  host: Host;
  voice: Pick<FarVoice, "progress" | "say">;
  hear?: Hear | undefined;
  /** How long the other host may send only keep-alives. */
  patienceMs?: number;
}

export async function askOver(wire: Wire, request: Message, asking: Asking): Promise<Message> {
  const { host, voice, hear, patienceMs = limits.farOnlyAliveMs } = asking;
  await wire.send(request);
  for (let heardMs = performance.now(); ; ) {
    const message = await wire.read();
    if (message === null) throw new WireBroken("it ended before it answered");
    const line = typeof message.line === "string" ? harmless(message.line) : null;
    if (message.is === "answer") return message;
    if (message.is === "refused") throw farRefusal(host, message);
    if (message.is === "alive") {
      if (performance.now() - heardMs > patienceMs) throw onlyAlive(patienceMs);
      continue;
    }
    if (message.is === "progress") voice.progress(line === null ? null : `${host}: ${line}`);
    else if (message.is === "said" && line !== null) voice.say(`${host}: ${line}`);
    else await hear?.(message, wire);
    heardMs = performance.now();
  }
}

function onlyAlive(patienceMs: number): WireBroken {
  return new WireBroken(`it sent only keep-alives for ${Math.round(patienceMs / 1000)} s`, true);
}

/** What the other host refused, in its words and with its name. */
export function farRefusal(host: Host, { message, hint, exitCode }: Message): HiveError {
  const known = Object.values(exitCodes).find((code) => code === exitCode && code !== exitCodes.done);
  return new HiveError(`${host}: ${String(message)}`, {
    ...(typeof hint === "string" ? { hint: `on ${host}: ${hint}` } : {}),
    ...(known === undefined ? {} : { exitCode: known }),
  });
}

function stopped(): HiveError {
  return new HiveError("interrupted", {
    hint: "received files stay; run the same command again to continue",
  });
}

/** Changes whenever one side would misunderstand the other. */
export const protocol = 1;

/** The command of the other side, after `hivemind`. */
export const farWord = "__moving";

export const greetingMark = "hivemind moving ";

export interface Greeting {
  protocol: number;
  version: string;
  /** Null if tmux works there; otherwise why not. */
  tmuxTrouble: string | null;
}

export function greetingLine(greeting: Omit<Greeting, "protocol">): string {
  return `${greetingMark}${JSON.stringify({ protocol, ...greeting })}`;
}

/** `text` is the rest of the line after the mark. */
export function readGreeting(host: string, text: string): Greeting {
  const found = jsonObject(text) ?? {};
  const version = typeof found.version === "string" ? harmless(found.version).slice(0, 40) : "unknown";
  const theirs = Number.isSafeInteger(found.protocol) ? (found.protocol as number) : 0;
  if (theirs < protocol) throw olderFar(host, `hivemind ${version}`);
  if (theirs > protocol) {
    throw new HiveError(`${host} has a newer hivemind, ${version}: this one does not understand it`, {
      hint: "update hivemind here",
    });
  }
  const tmuxTrouble = typeof found.tmuxTrouble === "string" ? found.tmuxTrouble : null;
  return { protocol: theirs, version, tmuxTrouble };
}

export function olderFar(host: string, what: string): HiveError {
  return new HiveError(`${host} has an older hivemind that cannot do this (${what})`, {
    hint: `update it there, then check: ssh ${host} hivemind --version`,
  });
}

export function refuseWithoutTmux(host: string, { tmuxTrouble }: Greeting): void {
  if (tmuxTrouble === null) return;
  throw new HiveError(`tmux does not work on ${host}: ${harmless(tmuxTrouble)}`, {
    hint: `install tmux there, then check: ssh ${host} tmux -V`,
    exitCode: exitCodes.couldNotLook,
  });
}
