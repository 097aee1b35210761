// What went wrong between here and another host. ssh ends with 255 for every failure of its own, so its wording tells.
//
// [SSF1] A host that cannot be reached, does not let us in, or is not the one we know is said as such, with what to do.
// [SSF2] A connection that ends after the far side had begun to talk was dropped: the same command may be typed again.
// [SSF3] A far side without hivemind is told from a host that cannot be reached.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";

export type SshReason =
  | "no-ssh"
  | "unknown-host"
  | "refused"
  | "unreachable"
  | "timeout"
  | "denied"
  | "unknown-key"
  | "changed-key"
  | "no-program"
  | "dropped"
  | "failed";

export class SshError extends HiveError {
  override name = "SshError";

  constructor(
    readonly reason: SshReason,
    host: string,
    detail = "",
    /** Of the far program, where it was that which ended. */
    readonly farExitCode: number | null = null,
  ) {
    const { says, hint } = words[reason];
    const exitCode = reason === "dropped" ? exitCodes.refused : exitCodes.couldNotLook;
    const told = detail === "" ? "" : ` (${harmless(detail)})`;
    super(`${says.replaceAll("HOST", host)}${told}`, { hint: hint.replaceAll("HOST", host), exitCode });
  }
}

export interface SshEnd {
  /** Null when it was ended by a signal. */
  exitCode: number | null;
  stderr: string;
  /** The far program had begun to talk. */
  isTalking: boolean;
}

export function sshFailure(host: string, program: string, { exitCode, stderr, isTalking }: SshEnd): SshError {
  const said = lastLine(stderr.trim());
  if (isTalking) return new SshError("dropped", host, said);
  if (exitCode === 127) return new SshError("no-program", host, program);
  const farExitCode = exitCode === 255 ? null : exitCode;
  const rule = farExitCode === null ? rules.find(({ seen }) => seen.test(stderr)) : undefined;
  return new SshError(rule?.reason ?? "failed", host, said || `exit code ${exitCode}`, farExitCode);
}

/** In this order: a changed key is also a verification that failed. */
const rules: readonly { reason: SshReason; seen: RegExp }[] = [
  { reason: "changed-key", seen: /HOST IDENTIFICATION HAS CHANGED/ },
  { reason: "unknown-key", seen: /Host key verification failed/ },
  { reason: "unknown-host", seen: /Could not resolve hostname/ },
  { reason: "timeout", seen: /timed out|Timeout, server/ },
  { reason: "refused", seen: /Connection refused/ },
  { reason: "unreachable", seen: /No route to host|unreachable/ },
  {
    reason: "denied",
    seen: /Permission denied|Too many authentication failures|No supported authentication/,
  },
  { reason: "dropped", seen: /closed by|reset by|Broken pipe|Connection closed|disconnect/ },
];

const words: Record<SshReason, { says: string; hint: string }> = {
  "no-ssh": { says: "there is no ssh in PATH", hint: "install it: apt-get install openssh-client" },
  "unknown-host": {
    says: "there is no host HOST",
    hint: "it is a name that ssh knows: try ssh HOST, or give it a Host entry in ~/.ssh/config",
  },
  refused: { says: "HOST refuses the connection", hint: "is its ssh server running? try: ssh HOST" },
  unreachable: { says: "HOST cannot be reached", hint: "look at the network, then try: ssh HOST" },
  timeout: { says: "HOST does not answer", hint: "is it up? try: ssh HOST" },
  denied: {
    says: "HOST asks for a password, or refuses the key",
    hint: "hivemind does not ask for passwords. Let your key in: ssh-copy-id HOST",
  },
  "unknown-key": {
    says: "the key of HOST is not known here",
    hint: "look at it and accept it once: ssh HOST",
  },
  "changed-key": {
    says: "HOST has another key than the one that is known: it may be another machine",
    hint: "find out why before anything else: ssh HOST",
  },
  "no-program": {
    says: "HOST has no such program in the PATH of an ssh command",
    hint: "install it there, so that this finds it: ssh HOST command -v hivemind",
  },
  dropped: {
    says: "the connection to HOST was dropped",
    hint: "what has arrived stays: the same command goes on from there",
  },
  failed: { says: "ssh to HOST failed", hint: "try: ssh HOST" },
};

function lastLine(text: string): string {
  return text.split("\n").at(-1)?.trim() ?? "";
}
