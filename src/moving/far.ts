// A hivemind on another host, asked over ssh. One connection for all that a command asks.
//
// [FAR1] Nothing is asked of a host before it has greeted in the same protocol.
// [FAR3] A far side that only says that it lives is given up after a while.
// [FAR2] However the connection ends, the error says why; what the far side refused is said in its words, with its name.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { limits } from "../limits.js";
import type { Host } from "../names/gates.js";
import { SshError } from "../ssh/error.js";
import { type FarProgram, runFar } from "../ssh/ssh.js";
import { farWord, type Greeting, greetingMark, olderFar, readGreeting } from "./greeting.js";
import { type Message, openWire, type Wire, WireBroken } from "./wire.js";

export interface Far {
  host: Host;
  greeting: Greeting;
  /** `hear` gets what comes before the answer, and may read and write on the wire. */
  ask(request: Message, hear?: Hear): Promise<Message>;
}

type Hear = (message: Message, wire: Wire) => Promise<void>;

export interface FarVoice {
  env: NodeJS.ProcessEnv;
  progress(line: string | null): void;
  say(line: string): void;
  interrupted: AbortSignal;
}

/** The connection is closed when `work` is done. */
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

/** A login script may take its time, and print what it likes. */
async function greet(host: Host, program: FarProgram, wire: Wire): Promise<Greeting> {
  const line = await wire.readGreeting(greetingMark);
  if (line !== null) return readGreeting(host, line);
  const failure = await program.failure(false);
  if (failure.farExitCode === exitCodes.usage) throw olderFar(host, "it knows no such command");
  throw failure;
}

export interface Asking {
  host: Host;
  voice: Pick<FarVoice, "progress" | "say">;
  hear?: Hear | undefined;
  /** How long the far side may say no more than that it lives. */
  patienceMs?: number;
}

export async function askOver(wire: Wire, request: Message, asking: Asking): Promise<Message> {
  const { host, voice, hear, patienceMs = limits.farOnlyAliveMs } = asking;
  await wire.send(request);
  for (let heardMs = performance.now(); ; ) {
    const message = await wire.read();
    if (message === null) throw new WireBroken("it ended before it had answered");
    const line = typeof message.line === "string" ? harmless(message.line) : null;
    if (message.is === "answer") return message;
    if (message.is === "refused") throw refused(host, message);
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
  return new WireBroken(`it said no more than that it lives for ${Math.round(patienceMs / 1000)} s`, true);
}

function refused(host: Host, { message, hint, exitCode }: Message): HiveError {
  const known = Object.values(exitCodes).find((code) => code === exitCode && code !== exitCodes.done);
  return new HiveError(`${host}: ${String(message)}`, {
    ...(typeof hint === "string" ? { hint: `on ${host}: ${hint}` } : {}),
    ...(known === undefined ? {} : { exitCode: known }),
  });
}

function stopped(): HiveError {
  return new HiveError("stopped", { hint: "what has arrived stays: the same command goes on from there" });
}
