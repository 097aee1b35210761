// Records what this system's programs print about processes, for the tests of src/base/system: on a Mac
//
//     node scripts/record-system.mjs
//
// writes test/fixtures/system/darwin.json. It runs the commands that hivemind runs on a Mac (on Linux those that exist
// there), keeps only the rows of processes that it started itself, and replaces the names of people, machines and folders.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, release, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const fields = ["pid=", "ppid=", "stat=", "tty=", "lstart=", "ucomm=PROGRAM", "args=ARGUMENTS"];
const isMac = process.platform === "darwin";

/** The commands of src/base/system; a test compares them with the source. */
export const commands = {
  table: () => ["ps", "-A", "-ww", ...fields.flatMap((field) => ["-o", field])],
  environments: (pids) => [
    "ps",
    ...(isMac ? ["-E", "-ww"] : ["eww"]),
    "-o",
    "pid=,args=",
    "-p",
    pids.join(","),
  ],
  start: (pid) => ["ps", "-o", "stat=,lstart=", "-p", String(pid)],
  folder: (pid) => ["lsof", "-a", "-p", String(pid), "-d", "cwd", "-Fn"],
  input: (pid) => ["lsof", "-a", "-p", String(pid), "-d", "0", "-Fn"],
  unixSockets: (pid) => ["lsof", "-a", "-p", String(pid), "-U", "-Fn"],
  listening: (pid) => ["lsof", "-a", "-p", String(pid), "-nP", "-iTCP", "-sTCP:LISTEN", "-Fn"],
  boot: () => ["sysctl", "-n", "kern.bootsessionuuid"],
};

async function record() {
  const folder = mkdtempSync(join(tmpdir(), "hm-record-"));
  const work = join(folder, "a folder");
  mkdirSync(work);
  const started = [];
  try {
    const sleeper = start(started, "sleep", ["611"], work, "two  words");
    const server = start(
      started,
      process.execPath,
      ["-e", serving(join(folder, "s.sock")), "an argument"],
      work,
    );
    const port = Number(await firstLine(server));
    const title = start(started, process.execPath, ["-e", titled], work);
    await firstLine(title);
    const pids = { recorder: process.pid, sleeper: sleeper.pid, server: server.pid, title: title.pid };
    const told = { ...pids, port, work: realpathSync(work), socket: join(folder, "s.sock") };
    const outputs = outputsOf(pids);
    const about = {
      platform: process.platform,
      release: /^\d+\.\d+/.exec(release())?.[0],
      recorded: new Date().toISOString().slice(0, 10),
    };
    const text = plain(JSON.stringify({ ...about, told, outputs }, null, 2), folder);
    const path = fileURLToPath(new URL(`../test/fixtures/system/${process.platform}.json`, import.meta.url));
    writeFileSync(path, `${text}\n`);
    console.log(`wrote ${path}: read it before you commit it`);
  } finally {
    for (const child of started) child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With an environment in which nothing is anybody's. */
function start(started, program, args, cwd, argv0) {
  const env = { PATH: "/usr/bin:/bin", CLAUDE_CONFIG_DIR: "/some/where", SPACED: "a b  c" };
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "ignore"],
    ...(argv0 && { argv0 }),
  });
  started.push(child);
  return child;
}

function serving(path) {
  return `const { createServer } = require("node:net");
    createServer().listen(${JSON.stringify(path)}, () => {
      const tcp = createServer().listen(0, "127.0.0.1", () => console.log(tcp.address().port));
    });`.replace(/\s+/g, " ");
}

const titled = 'process.title = "a-title"; console.log("set"); setInterval(() => {}, 60000);';

function firstLine(child) {
  return new Promise((line) => child.stdout.once("data", (data) => line(String(data).trim())));
}

function outputsOf({ recorder, sleeper, server, title }) {
  const all = [recorder, sleeper, server, title];
  const isOurs = (line) => all.includes(Number(line.trim().split(/\s+/)[0]));
  const rows = ({ stdout, ...rest }) => ({
    ...rest,
    stdout: stdout
      .split("\n")
      .filter((line, at) => at === 0 || isOurs(line))
      .join("\n"),
  });
  return {
    table: rows(run(commands.table())),
    environments: run(commands.environments([sleeper, server, title])),
    start: run(commands.start(sleeper)),
    folder: run(commands.folder(server)),
    input: run(commands.input(sleeper)),
    unixSockets: run(commands.unixSockets(server)),
    listening: run(commands.listening(server)),
    boot: run(commands.boot()),
  };
}

function run([program, ...argv]) {
  const utf8 = isMac ? "en_US.UTF-8" : "C.UTF-8";
  const env = { PATH: `${process.env.PATH}:/usr/sbin`, TZ: "UTC", LC_CTYPE: utf8, LC_TIME: "C" };
  const { status, stdout, error } = spawnSync(program, argv, { env, encoding: "utf8", maxBuffer: 2 ** 26 });
  return { command: [program, ...argv].join(" "), status, stdout: error ? "" : stdout };
}

/** Longer names first: a home is in the path of a folder. */
function plain(text, folder) {
  const names = [
    [realpathSync(folder), "/private/T"],
    [folder, "/T"],
    [process.execPath, "/usr/bin/node"],
    [process.cwd(), "/repo"],
    [homedir(), "/home/me"],
    [hostname(), "host"],
    [userInfo().username, "me"],
  ];
  return names.reduce(
    (plainer, [name, word]) => (name.length < 4 ? plainer : plainer.replaceAll(name, word)),
    text,
  );
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await record();
