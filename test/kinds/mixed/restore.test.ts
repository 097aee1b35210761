// One team of all kinds on the real programs: its tmux server is killed, and each agent comes back in its own
// conversation.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentOfKind } from "../../../src/agents/all.js";
import type { Kind } from "../../../src/names/kind.js";
import { endAll, hasEnded } from "../../client/end-all.js";
import { makeHome, removeHome, type TestHome, until } from "../../home.js";
import { type CommandsIn, commandsIn } from "../codex/commands.js";
import { type Program, rows } from "./programs.js";

interface Member extends Program {
  kind: string;
  role: string;
  word: string;
}

const words = ["aardvark", "bandicoot", "caribou", "dugong", "echidna", "fossa", "gerenuk"];

/** A team file with one agent per kind, named after it. */
async function mixedTeam() {
  const home = makeHome();
  const members: Member[] = [];
  onTestFinished(async () => {
    for (const { end } of members) await end?.();
    await endAll(home);
    for (const { api } of members) await api?.close();
    removeHome(home);
  });
  for (const [at, { kind, prepare }] of rows.entries())
    members.push({ ...(await prepare(home)), kind, role: `${kind}-agent`, word: words[at]! });
  const path = `${join(home.root, "bin")}:${home.env.PATH}`;
  const env = Object.assign({}, home.env, ...members.map((each) => each.env), { PATH: path });
  const agents = members.map(({ kind, role }) => `  ${role}:\n    kind: ${kind}\n`).join("");
  writeFileSync(join(home.work, "hivemind.yaml"), `project: zoo\nsession: zoo\nagents:\n${agents}`);
  return { home, members, commands: commandsIn(home, env) };
}

/** Says the words, and returns when the conversation has them and their answer. */
async function talk({ done, run, becomes }: CommandsIn, { role, api }: Member, said: string): Promise<void> {
  api?.when(new RegExp(said), { text: `answer to ${said}` });
  await becomes(role, "idle");
  await done("send", role, said);
  const { uuid } = await becomes(role, "idle");
  const awaited = api === null ? said : `answer to ${said}`;
  await until(`"${awaited}" in the conversation of ${role}`, async () =>
    (await run("sessions", "export", uuid!, "--all")).stdout.includes(awaited),
  );
}

async function killServer({ tmux }: TestHome, stay: ReadonlySet<string>): Promise<void> {
  const server = Number(tmux("display-message", "-p", "#{pid}"));
  const panes = tmux("list-panes", "-a", "-F", "#{pane_pid} #{pane_id}").trim().split("\n");
  const ending = panes.filter((row) => !stay.has(row.split(" ")[1]!)).map((row) => Number(row.split(" ")[0]));
  process.kill(server, "SIGKILL");
  await until("the end of tmux and of the agents", () => [server, ...ending].every(hasEnded));
}

/** The rows of the newest snapshot of the team. */
function savedRows({ config }: TestHome): string[] {
  const names = readdirSync(config).filter((name) => /^hivemind\.snapshot\..*\.env$/.test(name));
  return readFileSync(join(config, names.sort().at(-1)!), "utf8").split("\n");
}

test("a team of every kind is saved, killed, and restored: each agent in its own conversation", async () => {
  const { home, members, commands } = await mixedTeam();
  const { done, agent } = commands;
  await done("up");
  for (const member of members) await talk(commands, member, member.word);
  const before = await Promise.all(members.map(({ role }) => agent(role)));
  expect(before.map(({ kind }) => kind)).toEqual(members.map(({ kind }) => kind));
  expect(new Set(before.map(({ uuid }) => uuid)).size).toBe(members.length);
  await done("save");
  const saved = savedRows(home);
  for (const { role, uuid, kind } of before)
    expect(saved.filter((row) => row.includes(`|${uuid}|`))).toEqual([
      expect.stringMatching(new RegExp(`${role}\\|${uuid}\\|.*\\|${kind}(?:\\||$)`)),
    ]);

  const outlives = before.filter(({ kind }) => agentOfKind(kind as Kind)?.ending?.outlivesPane === true);
  await killServer(home, new Set(outlives.map(({ paneId }) => paneId)));
  await done("restore");
  const after = await Promise.all(members.map(({ role }) => agent(role)));
  const who = ({ role, kind, uuid }: (typeof after)[number]) => ({ role, kind, uuid });
  expect(after.map(who)).toEqual(before.map(who));
  const table = (await done("status", "zoo")).split("\n");
  for (const { role, kind } of members)
    expect(table.find((row) => row.includes(role))).toMatch(new RegExp(`\\b${kind} `));

  // The programs themselves know what was said before.
  for (const member of members) {
    const later = `${member.kind} returns`;
    await talk(commands, member, later);
    const turn = member.api?.requests.findLast(({ lastText }) => lastText.includes(later));
    if (turn !== undefined) expect(JSON.stringify(turn.body)).toContain(`answer to ${member.word}`);
  }
  expect(await done("restore")).toContain("nothing to do");
});
