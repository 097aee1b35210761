// Errors of connections to other hosts. ssh exits with 255 for every failure of its own, so its wording decides.
//
// - Each common failure has its own message and hint: unreachable host, login refused, unknown or changed host key.
// - If the connection ends after the far program began to answer, it was dropped: the same command can be repeated.
// - A far host without hivemind differs from an unreachable host.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";

export class SshError extends HiveError {
  override name = "SshError";

  constructor(
    readonly reason: SshReason,
    host: string,
    detail = "",
    /** The exit code of the far program, if that is what ended. */
    readonly farExitCode: number | null = null,
  ) {
    const { says, hint } = words[reason];
    const exitCode = reason === "dropped" ? exitCodes.refused : exitCodes.couldNotLook;
    const suffix = detail === "" ? "" : ` (${harmless(detail)})`;
    super(`${says.replaceAll("HOST", host)}${suffix}`, { hint: hint.replaceAll("HOST", host), exitCode });
  }
}

export interface SshEnd {
  /** Null if a signal ended it. */
  exitCode: number | null;
  stderr: string;
  /** The far program had begun to answer. */
  isTalking: boolean;
}

export function sshFailure(host: string, program: string, { exitCode, stderr, isTalking }: SshEnd): SshError {
  const message = lastLine(stderr.trim());
  if (isTalking) return new SshError("dropped", host, message);
  if (exitCode === 127) return new SshError("no-program", host, program);
  const farExitCode = exitCode === 255 ? null : exitCode;
  const rule = farExitCode === null ? rules.find(({ seen }) => seen.test(stderr)) : undefined;
  return new SshError(rule?.reason ?? "failed", host, message || `exit code ${exitCode}`, farExitCode);
}

/** In this order: a changed key is also a failed verification. */
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

const words = {
  "no-ssh": { says: "ssh is not in PATH", hint: "install it: apt-get install openssh-client" },
  "unknown-host": {
    says: "unknown host HOST",
    hint: "ssh must know the name: try ssh HOST, or add a Host entry to ~/.ssh/config",
  },
  refused: { says: "HOST refuses the connection", hint: "check that its ssh server runs: ssh HOST" },
  unreachable: { says: "HOST is unreachable", hint: "check the network, then try: ssh HOST" },
  timeout: { says: "HOST does not answer", hint: "check that it is up: ssh HOST" },
  denied: {
    says: "HOST asks for a password or refuses the key",
    hint: "hivemind does not ask for passwords; install your key there: ssh-copy-id HOST",
  },
  "unknown-key": {
    says: "the host key of HOST is unknown here",
    hint: "check and accept it once: ssh HOST",
  },
  "changed-key": {
    says: "the host key of HOST has changed: it may be another machine",
    hint: "find out why first: ssh HOST",
  },
  "no-program": {
    says: "HOST does not find this program in the PATH of an ssh command",
    hint: "install it there, so that this finds it: ssh HOST command -v hivemind",
  },
  dropped: {
    says: "the connection to HOST was dropped",
    hint: "received files stay: run the same command again to continue",
  },
  failed: { says: "ssh to HOST failed", hint: "try: ssh HOST" },
};

export type SshReason = keyof typeof words;

function lastLine(text: string): string {
  return text.split("\n").at(-1)?.trim() ?? "";
}
