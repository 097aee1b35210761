// Runs nats-server, and makes a certificate for it with openssl.

import { execFile, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { errorCode, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";

export interface ServerProcess {
  pid: number;
  /** Resolves with its last words when it ends. */
  ended: Promise<string>;
  /** Ends it; it finishes what it writes. */
  stop(): Promise<void>;
}

/** Null if it is not installed. Debian has it where only root looks. */
export function findNatsServer(env: NodeJS.ProcessEnv): string | null {
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"].filter(Boolean);
  return folders.map((folder) => join(folder, "nats-server")).find(canRun) ?? null;
}

/** Resolves when the server takes connections. */
export async function runNatsServer(program: string, config: string): Promise<ServerProcess> {
  // Ctrl-C in our terminal must not reach it: we end it after the last words.
  const child = spawn(program, ["-c", config], { stdio: ["ignore", "ignore", "pipe"], detached: true });
  let said = "";
  const ended = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", () => resolve(lastWords(said)));
  });
  const ready = new Promise<void>((resolve) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-limits.natsWordsLength);
      if (said.includes("Server is ready")) resolve();
    });
  });
  const why = await Promise.race([ready, ended]);
  if (typeof why === "string" || child.pid === undefined)
    throw new HiveError(`nats-server did not start: ${why}`, { hint: "look at its configuration above" });
  return {
    pid: child.pid,
    ended,
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), limits.natsEndMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Lets a running server read its configuration again. */
export function reloadNatsServer(pid: number): void {
  process.kill(pid, "SIGHUP");
}

/** A certificate that nobody signed, for these names and addresses: hosts compare its fingerprint. */
export async function makeCertificate(
  names: readonly string[],
): Promise<{ certificate: string; key: string }> {
  const alternatives = names.map((name) => `${/^[\d.]+$|:/.test(name) ? "IP" : "DNS"}:${name}`).join(",");
  const words = [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-days", "3650", "-subj", "/CN=hivemind fleet", "-addext", `subjectAltName=${alternatives}`],
    ...["-keyout", "-", "-out", "-"],
  ];
  const output = await new Promise<string>((resolve, reject) => {
    execFile("openssl", words, { timeout: limits.natsConnectMs }, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const why = errorCode(error) === "ENOENT" ? "openssl is not installed" : error.message.split("\n")[0];
      reject(
        new HiveError(`no certificate could be made: ${why}`, {
          hint: "install the package openssl; for this machine alone: --no-tls",
        }),
      );
    });
  });
  const part = (what: string) =>
    new RegExp(`-----BEGIN ${what}-----[\\s\\S]+?-----END ${what}-----\\n?`).exec(output)?.[0];
  const [certificate, key] = [part("CERTIFICATE"), part("PRIVATE KEY")];
  if (certificate === undefined || key === undefined)
    throw new HiveError("openssl printed no certificate", { hint: "openssl version" });
  return { certificate, key };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function lastWords(said: string): string {
  const lines = said.trimEnd().split("\n");
  const failed = lines.filter((line) => /\[(?:FTL|ERR)\]|nats-server:/.test(line));
  return (failed.length > 0 ? failed : lines).slice(-3).join("; ") || "it ended without a word";
}
