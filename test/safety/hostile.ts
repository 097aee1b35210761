// A home in which every text that others can write is as hostile as possible.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { projectSlug } from "../../src/names/slug.js";
import { demoAgent, hivemind } from "../command.js";
import { type TestHome, until } from "../home.js";

export interface HostileHome extends TestHome {
  /** This file exists if any part of these texts was run. */
  canary: string;
}

/** Characters that a terminal obeys, or that reorder what a person reads. */
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** All of it at once; without what only files can hold, it is a name for tmux. */
function evil(canary: string): string {
  return `\u001b]0;x\u0007\u001b[2J\u009b31m\u202e\u061c\n|${evilName(canary)}`;
}

export function evilName(canary: string): string {
  return `-e #(touch ${canary})#{pane_id}#[fg=red]$(touch ${canary})\`touch ${canary}\`'"\\\u202e;`;
}

/** In plain characters: a shell that gets this unquoted runs it. */
export const runName = "$(touch pwned)";

export async function plantEvil(home: TestHome): Promise<HostileHome> {
  const canary = join(home.root, "canary");
  const sessions = [1, 2].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
  plantTranscripts(home, canary, sessions);
  await plantPanes(home, canary);
  plantStores(home, canary, sessions);
  plantReports(home, canary);
  return { ...home, canary };
}

export function harmlessOutput(home: HostileHome, args: readonly string[]): void {
  const { code, stdout, stderr } = hivemind(home, args);
  expect({ args, obeyed: obeyed.exec(stdout + stderr) }).toEqual({ args, obeyed: null });
  expect({ args, code, said: /this is a bug/.exec(stderr) }).toEqual({ args, code, said: null });
  expect({ args, ran: existsSync(home.canary) }).toEqual({ args, ran: false });
  expect({ args, pasted: whatRuns(home, `${stdout}${stderr}`) }).toEqual({ args, pasted: [] });
  if (args.includes("--json") && code === 0) expect(JSON.parse(stdout)).toMatchObject({ version: 1 });
}

/** The commands in a text that would run planted text if a person pastes them. */
function whatRuns(home: HostileHome, text: string): string[] {
  const typed = text
    .split("\n")
    .flatMap((line) => /(?:^ *|: )((?:hivemind|tmux) .*touch.*)$/.exec(line)?.[1] ?? []);
  const pwned = join(home.root, "pwned");
  return typed.filter((line) => {
    // Neither program is run: only what the shell does with the words matters.
    const script = `hivemind() { :; }; tmux() { :; }; ${line}`;
    spawnSync("/bin/sh", ["-c", script], { cwd: home.root, env: { PATH: home.env.PATH } });
    const isRun = existsSync(pwned);
    rmSync(pwned, { force: true });
    return isRun;
  });
}

function plantTranscripts(home: TestHome, canary: string, sessions: readonly string[]): void {
  const folder = join(home.claude, "projects", projectSlug(home.work));
  mkdirSync(folder, { recursive: true });
  const text = evil(canary);
  for (const [at, id] of sessions.entries()) {
    const first = { parentUuid: null, sessionId: id, cwd: home.work, gitBranch: text, version: text };
    const usage = { input_tokens: 7 };
    const records = [
      { type: "custom-title", customTitle: text, sessionId: id },
      { ...first, type: "user", uuid: "m1", message: { role: "user", content: `find ${text}` } },
      { ...first, type: "assistant", uuid: `m${at + 2}`, message: { model: text, content: [], usage } },
      { ...first, type: "user", uuid: text, cwd: `/srv/${text}`, message: { content: text } },
    ];
    writeFileSync(join(folder, `${id}.jsonl`), records.map((each) => `${JSON.stringify(each)}\n`).join(""));
  }
}

/** tmux expands names and folders; doubled, every `#` arrives. */
const doubled = (text: string) => text.replaceAll("#", "##").replaceAll("##[", "#[");
/** An argument that ends in `;` would end tmux's command. */
const whole = (text: string) => text.replace(/;$/, "\\;");

async function plantPanes(home: TestHome, canary: string): Promise<void> {
  const name = whole(doubled(evilName(canary)));
  // Nested folders whose whole path is shell code.
  const folder = join(home.work, evil(canary).replaceAll("\u001b[2J", ""));
  mkdirSync(folder, { recursive: true });
  home.tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", "good", "cat");
  home.tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", name, "-n", name, "cat");
  // tmux takes a name that begins with a dollar for an id, so the pane's own id is used below.
  const print = ["-P", "-F", "#{pane_id}"];
  const runs = home.tmux("new-session", "-d", ...print, "-x", "200", "-y", "50", "-s", runName, "cat").trim();
  home.tmux("rename-window", "-t", "=good:", "--", name);
  home.tmux("split-window", "-d", "-t", "=good:", "-c", whole(doubled(folder)), "cat");
  home.tmux("select-pane", "-t", "=good:0.0", "-T", name);
  const env = Object.entries(home.env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  const agent = [process.execPath, demoAgent, "-n", whole(`x${evilName(canary)}`)];
  for (const target of ["=good:", runs])
    home.tmux("split-window", "-d", "-t", target, "-c", home.work, ...env, ...agent);
  const titles = () => home.tmux("list-panes", "-a", "-F", "#{pane_title}");
  await until("the agents' titles", () => titles().match(/✳/g)?.length === 2);
}

function plantStores(home: TestHome, canary: string, [one, two]: readonly string[]): void {
  const write = (name: string, text: string) => writeFileSync(join(home.config, name), text);
  const [line, raw] = [evilName(canary), evil(canary)];
  const time = "2026-04-22T08:52:40Z";
  for (const folder of ["hivemind.queue", "hivemind.hooks", "otmux"]) {
    mkdirSync(join(home.config, folder), { recursive: true });
  }
  write("hivemind.teams.env", `good|${line}\nlost|${line}\n${raw}\n`);
  write("hivemind.roles.env", `good:0.0|po|1\nlost:0.0|dev|1\n${raw}|po\ngood:0.1|${line}\n`);
  write("hivemind.sessions.env", `good:0.0|${one}\nlost:0.0|${two}\n${raw}\n`);
  write("hivemind.forks.env", `${time}|good:0.0|po|${one}|stale|${two}\n${time}|${raw}\n`);
  write("hivemind.events.log", `${time}|team.created|good ${line}\n${time}|agent.killed|${raw}\n`);
  write("hivemind.receipts.log", `${raw}\n`);
  write("hivemind.active.team", `${raw}\n`);
  write("hivemind.state.env", `good:0.0|HELD|${time}|${line}\n${raw}\n`);
  write("hivemind.projects.env", `p|/srv/${line}\n${raw}\n`);
  write("hivemind.accounts.env", `/srv/${line}\n${raw}\n`);
  write("tronMonitor.env", `1|${line}\n${raw}\n`);
  write("otmux.size.locks.env", `good|${line}\n${raw}\n`);
  write(
    "hivemind.queue/good_0_0.queue",
    `1700000000|inform|${line}\n${raw}\n1700000001|remote-control:${line}|x\n`,
  );
  const row = `lost|0.0|dev|${two}|${line}|/srv/${line}|${line}|claude`;
  write(
    "hivemind.snapshot.20260422T085240.env",
    `# version: 1\n${row}\nlost|0.1|${line}|||||shell\n${raw}\n`,
  );
  const quoted = `'${raw.replaceAll("'", "'\\''")}'`;
  const of = (window: number) => `OTMUX_WINDOW_${window}`;
  write(
    "otmux/lost.layout.env",
    `OTMUX_LAYOUT_SESSION='lost'\n${of(0)}_NAME=${quoted}\n${of(0)}_LAYOUT=${quoted}\n${of(0)}_PANE_0_TITLE=${quoted}\n` +
      `${of(0)}_PANE_0_CWD=${quoted}\n${of(0)}_PANE_0_CMD=${quoted}\ntouch ${canary}\n$(touch ${canary})\n`,
  );
}

function plantReports(home: TestHome, canary: string): void {
  const text = evil(canary);
  const pane = home.tmux("display-message", "-p", "-t", "=good:0.0", "#{pane_id}").trim();
  const about = { event: text, pid: process.pid, tmux: text, pane };
  const input = { session_id: text, cwd: text, transcript_path: text, session_title: text };
  const path = join(home.config, "hivemind.hooks", "1-SessionStart-1.json");
  writeFileSync(path, `${JSON.stringify(about)}\n${JSON.stringify(input)}\n`);
  writeFileSync(join(home.config, "hivemind.hooks", "2-Stop.json"), text);
  mkdirSync(join(home.claude, "sessions"), { recursive: true });
  const lie = { pid: process.pid, sessionId: text, name: text, cwd: text, status: text, waitingFor: text };
  writeFileSync(join(home.claude, "sessions", `${process.pid}.json`), JSON.stringify(lie));
}
