// Two homes as two hosts: a real sshd on 127.0.0.1 logs into one or the other, by the key.

import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { mainProgram, type Ran } from "../command.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

export interface TestHost extends TestHome {
  /** Its ssh configuration, with `alpha` and `beta`. */
  sshConfig: string;
  /** The first folder in the PATH of a login. */
  bin: string;
}

export interface TestHosts {
  alpha: TestHost;
  beta: TestHost;
  port: number;
  /** The folder of keys and configurations. */
  ssh: string;
}

/**
 * Made for the running test and removed with it: the server first, then the programs in the homes. `more` is added
 * to both environments.
 */
export async function testHosts(more: Record<string, string> = {}): Promise<TestHosts> {
  const homes = [makeHome(), makeHome()] as const;
  for (const { env, root } of homes)
    Object.assign(env, { ...more, PATH: `${join(root, "bin")}:${env.PATH}` });
  onTestFinished(() => homes.forEach(removeHome));
  const ssh = join(homes[0].root, "ssh");
  mkdirSync(ssh, { mode: 0o700 });
  const port = await freePort();
  const key = (name: string) => {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", join(ssh, name)]);
    return readFileSync(join(ssh, `${name}.pub`), "utf8").trim();
  };
  writeFileSync(join(ssh, "known_hosts"), `[127.0.0.1]:${port} ${key("host")}\n`);
  const names = ["alpha", "beta"] as const;
  const logins = names.map((name, at) => `command="${login(homes[at]!, ssh, name)}",restrict ${key(name)}`);
  writeFileSync(join(ssh, "authorized_keys"), `${logins.join("\n")}\n`, { mode: 0o600 });
  writeFileSync(join(ssh, "config"), names.map((name) => hostEntry(ssh, name, port)).join("\n"));
  await startServer(ssh, port);
  const [alpha, beta] = homes.map((home) => {
    const sshConfig = join(ssh, "config");
    home.env.HIVEMIND_SSH_CONFIG = sshConfig;
    return { ...home, sshConfig, bin: join(home.root, "bin") };
  }) as [TestHost, TestHost];
  return { alpha, beta, port, ssh };
}

/** A host with this name and other ssh options. */
export function addHost({ ssh, port }: TestHosts, name: string, lines: readonly string[], to = "beta"): void {
  const entry = hostEntry(ssh, name, port, to).split("\n");
  // Of several values ssh takes the first.
  const [first, ...rest] = entry;
  writeFileSync(
    join(ssh, "config"),
    `${[first, ...lines.map((line) => `  ${line}`), ...rest].join("\n")}\n`,
    { flag: "a" },
  );
}

/** Puts a program with this name first in the PATH of a login there. */
export function farProgram({ bin }: TestHost, name: string, lines: readonly string[]): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(join(bin, name), 0o755);
}

function hostEntry(ssh: string, name: string, port: number, key = name): string {
  const options = {
    HostName: "127.0.0.1",
    Port: port,
    User: userInfo().username,
    IdentityFile: join(ssh, key),
    IdentitiesOnly: "yes",
    UserKnownHostsFile: join(ssh, "known_hosts"),
    GlobalKnownHostsFile: "/dev/null",
    StrictHostKeyChecking: "yes",
  };
  return [
    `Host ${name}`,
    ...Object.entries(options).map(([option, value]) => `  ${option} ${value}`),
    "",
  ].join("\n");
}

/** What a login runs: the other home, and nothing of this one. */
function login(home: TestHome, ssh: string, name: string): string {
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "hivemind"), `#!/bin/sh\nexec '${process.execPath}' '${mainProgram}' "$@"\n`);
  chmodSync(join(bin, "hivemind"), 0o755);
  const words = Object.entries(home.env).map(([variable, value]) => `${variable}='${value}'`);
  const script = join(ssh, `login-${name}`);
  writeFileSync(
    script,
    `#!/bin/sh\ncd '${home.home}'\nexec env -i ${words.join(" ")} /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n`,
  );
  chmodSync(script, 0o755);
  return script;
}

async function startServer(ssh: string, port: number): Promise<void> {
  const options = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${join(ssh, "host")}`,
    `AuthorizedKeysFile ${join(ssh, "authorized_keys")}`,
    `PidFile ${join(ssh, "pid")}`,
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "PasswordAuthentication yes",
  ];
  writeFileSync(join(ssh, "sshd_config"), `${options.join("\n")}\n`);
  const server = spawn("/usr/sbin/sshd", ["-D", "-e", "-f", join(ssh, "sshd_config")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (text) => (said += text));
  onTestFinished(() => void server.kill());
  await until(`sshd listens`, () => {
    if (server.exitCode !== null) throw new Error(`sshd: ${said}`);
    return said.includes("Server listening");
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts it without waiting. */
export function begin(home: TestHome, args: readonly string[]): { pid: number; ended: Promise<Ran> } {
  const child = spawn(process.execPath, [mainProgram, ...args], { env: home.env, cwd: home.work });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (text) => (said[name] += text));
  const ended = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, ...said })));
  return { pid: child.pid!, ended };
}
