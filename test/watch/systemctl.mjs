#!/usr/bin/env node
// Stands in for `systemctl --user` of one test: reads units from their real folder, and really starts and stops their
// programs. `HM_UNITS` is a folder of its own: a file per running unit, and what was asked.
//
// It reads a unit as systemd.syntax(7) says, on its own: quotes, escapes with a backslash, %% and the leading `:`.

import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const state = process.env.HM_UNITS;
const units = join(process.env.XDG_CONFIG_HOME ?? join(process.env.HOME, ".config"), "systemd", "user");
const wants = join(units, "default.target.wants");

function words(text) {
  const found = [];
  let word = null;
  let quote = null;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "\\") word = (word ?? "") + text[++at];
    else if (sign === quote) quote = null;
    else if (quote === null && (sign === '"' || sign === "'")) [quote, word] = [sign, word ?? ""];
    else if (quote === null && /\s/.test(sign)) {
      if (word !== null) found.push(word);
      word = null;
    } else if (sign === "%" && text[at + 1] === "%") word = (word ?? "") + text[at++];
    else if (sign === "%") throw new Error(`an unknown specifier in ${text}`);
    else word = (word ?? "") + sign;
  }
  if (quote !== null) throw new Error(`an open quote in ${text}`);
  return word === null ? found : [...found, word];
}

function readUnit(name) {
  const lines = readFileSync(join(units, name), "utf8").split("\n");
  const values = (key) =>
    lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
  const [program, ...args] = words(values("ExecStart")[0]);
  return {
    argv: [program.replace(/^:/, ""), ...args],
    env: Object.fromEntries(
      values("Environment")
        .flatMap(words)
        .map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]),
    ),
    restart: values("Restart")[0],
  };
}

const recordOf = (name) => join(state, name);
const read = (name) => (existsSync(recordOf(name)) ? JSON.parse(readFileSync(recordOf(name), "utf8")) : null);
const write = (name, record) => writeWhole(recordOf(name), JSON.stringify(record));

/** Others read it at any moment. */
function writeWhole(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** The manager's own process of a unit: starts the program, and again after a failure. */
function supervise(name) {
  const { argv, env, restart } = readUnit(name);
  const [program, ...args] = argv;
  const log = join(state, `${name}.log`);
  let stopping = false;
  let child = null;
  const begin = () => {
    child = spawn(program, args, {
      env: { USER: "nobody", ...env },
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const out of [child.stdout, child.stderr]) out.on("data", (bytes) => appendFileSync(log, bytes));
    write(name, { active: "active", sub: "running", pid: child.pid, supervisor: process.pid });
    child.on("exit", (code, signal) => {
      const isFailure = code !== 0 && !["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"].includes(signal);
      if (stopping || !isFailure || restart !== "on-failure") {
        write(name, {
          active: isFailure && !stopping ? "failed" : "inactive",
          sub: "dead",
          pid: 0,
          supervisor: 0,
        });
        process.exit(0);
      }
      write(name, { active: "activating", sub: "auto-restart", pid: 0, supervisor: process.pid });
      // As RestartSec, in a test's time.
      setTimeout(begin, 200);
    });
  };
  process.on("SIGTERM", () => {
    stopping = true;
    if (child?.exitCode === null && child.signalCode === null) return void child.kill("SIGTERM");
    write(name, { active: "inactive", sub: "dead", pid: 0, supervisor: 0 });
    process.exit(0);
  });
  begin();
}

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
const runs = (pid) => {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
};

function start(name) {
  if (runs(read(name)?.supervisor)) return;
  rmSync(recordOf(name), { force: true });
  spawn(process.execPath, [process.argv[1], "--supervise", name], {
    env: { ...process.env },
    detached: true,
    stdio: "ignore",
  }).unref();
  while (read(name) === null) pause();
}

function stop(name) {
  const { supervisor = 0 } = read(name) ?? {};
  if (!runs(supervisor)) return;
  process.kill(supervisor, "SIGTERM");
  while (runs(supervisor)) pause();
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}

const [first, ...asked] = process.argv.slice(2);
if (first === "--supervise") supervise(asked[0]);
else {
  mkdirSync(state, { recursive: true });
  if (first !== "--user") fail("Failed to connect to bus: only --user is here");
  if (process.env.HM_NO_MANAGER) fail("Failed to connect to bus: No medium found");
  appendFileSync(join(state, "asked"), `${asked.join(" ")}\n`);
  const verb = asked[0];
  const name = asked.find((word) => word.endsWith(".service"));
  const loaded = () =>
    JSON.parse(existsSync(join(state, "loaded")) ? readFileSync(join(state, "loaded"), "utf8") : "[]");
  if (verb === "daemon-reload")
    writeWhole(
      join(state, "loaded"),
      JSON.stringify(existsSync(units) ? readdirSync(units).filter((each) => each.endsWith(".service")) : []),
    );
  if (verb === "show" && name === undefined) process.stdout.write("Version=stand-in\n");
  if (verb === "show" && name !== undefined) {
    const { active = "inactive", sub = "dead", pid = 0 } = read(name) ?? {};
    process.stdout.write(
      [
        `LoadState=${loaded().includes(name) ? "loaded" : "not-found"}`,
        `ActiveState=${active}`,
        `SubState=${sub}`,
        `MainPID=${pid}`,
        `UnitFileState=${existsSync(join(wants, name)) ? "enabled" : "disabled"}`,
        "Result=success",
        "",
      ].join("\n"),
    );
  }
  const isKnown = () =>
    loaded().includes(name) || fail(`Failed to enable unit: Unit file ${name} does not exist.`);
  if (verb === "enable" && isKnown()) {
    mkdirSync(wants, { recursive: true });
    if (!existsSync(join(wants, name))) symlinkSync(join(units, name), join(wants, name));
    if (asked.includes("--now")) start(name);
  }
  if (verb === "restart" && isKnown()) {
    stop(name);
    start(name);
  }
  if (verb === "disable") {
    if (asked.includes("--now")) stop(name);
    rmSync(join(wants, name), { force: true });
    if (existsSync(wants) && readdirSync(wants).length === 0) rmdirSync(wants);
  }
}
