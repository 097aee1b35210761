import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentsOf } from "../../test/contents.js";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { AgentId } from "../names/agent-id.js";
import type { Host, Role, SessionId, TeamName } from "../names/gates.js";
import { openStores } from "../stores/stores.js";
import { readManifest } from "../stores/text/bundle.js";
import { type Bundle, packBundle } from "./pack.js";

const [web, api] = ["web", "api"] as TeamName[];
const host = "alpha" as Host;
const agent = "abcdefgh23" as AgentId;

/** Two teams with one agent each, and other files that must not be packed. */
async function host2() {
  const { env, config, claude } = testHome();
  const stores = openStores(env);
  await stores.teams.update(() => [
    { team: web!, description: "site" },
    { team: api!, description: "" },
  ]);
  await stores.roles.update(() => [
    { pane: "web:0.0", role: "lead" as Role, epoch: 1 },
    { pane: "api:0.0", role: "owner" as Role, epoch: 1 },
  ]);
  await stores.sessions.update(() => [
    { pane: "web:0.0", uuid: idOf(1) },
    { pane: "api:0.0", uuid: idOf(2) },
  ]);
  const row = (team: TeamName, uuid: SessionId) =>
    ({
      agent: team === web ? agent : null,
      team,
      window: 0,
      pane: 0,
      role: null,
      uuid,
      title: "",
      cwd: "/srv/a",
      model: "",
      kind: "claude",
    }) as const;
  await stores.snapshots.create([row(web!, idOf(1)), row(api!, idOf(2))], { isAutosave: false, nowMs: 1e12 });
  await stores.snapshots.create([row(web!, idOf(3))], { isAutosave: false, nowMs: 2e12 });
  for (const number of [1, 2, 3, 4])
    writeTranscript(transcriptPath(claude, idOf(number)), user(`m${number}`));
  const fork = { at: "2026-04-22T08:52:40Z", pane: null, role: null, state: "stable" } as const;
  await stores.forks.append([
    { ...fork, uuid: idOf(3), parent: idOf(9) },
    { ...fork, uuid: idOf(4), parent: null },
    { ...fork, uuid: idOf(9), parent: idOf(8) },
  ]);
  writeFileSync(join(config, "credentials"), "canary");
  mkdirSync(join(claude, "sessions"));
  writeFileSync(join(claude, "sessions", "1.key"), "canary");
  return { stores, env, config, claude };
}

const paths = ({ page }: Bundle) => page.files.map(({ path }) => path).sort();

async function text(box: Bundle, path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of box.bytesOf(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function whole(box: Bundle): Promise<string> {
  return (await Promise.all(paths(box).map((path) => text(box, path)))).join("");
}

test("one team: its rows, its newest snapshot, its lineage and its transcripts, and nothing of others (incident 13)", async () => {
  const world = await host2();
  const box = await packBundle(world, { teams: [web!], host });
  expect(readManifest(JSON.parse(JSON.stringify(box.page)))).toEqual(box.page);
  expect(paths(box).filter((path) => path.startsWith("projects/"))).toEqual(
    [1, 3].map((number) => `projects/-srv-a/${idOf(number)}.jsonl`),
  );
  const all = await whole(box);
  for (const other of ["canary", "api", idOf(2), idOf(4)]) expect(all).not.toContain(other);
  expect(all).toContain(`${idOf(9)}|stable|${idOf(8)}`);
  expect(box.rows).toMatchObject([{ uuid: idOf(3), agent }]);
  expect(all).toContain(`# agent ${agent} web:0.0\n`);
  expect(paths(box)).not.toContain("hivemind.agents.env");
});

test("the agents of a team that was never saved are packed without seats", async () => {
  const world = await host2();
  await world.stores.teams.update((rows) => [...rows, { team: "ops" as TeamName, description: "" }]);
  const server = { socket: "/tmp/tmux", pid: 10, startedAt: 1_700_000_000 };
  const row = { id: agent, team: "ops" as TeamName, role: "lead" as Role, kind: "claude", session: idOf(4) };
  const agents = [{ ...row, seat: { server, pane: "%1" as const }, address: "ops:0.0" as const, epoch: 1 }];
  const change = { agents, views: { roles: [], sessions: [] }, afterCommit: async () => {} };
  await world.stores.roster.update(() => change);
  const box = await packBundle(world, { teams: ["ops" as TeamName], host });
  expect(await text(box, "hivemind.agents.env")).toBe(`${agent}|ops|lead|claude|${idOf(4)}||ops:0.0|1\n`);
  expect(await text(box, "hivemind.roles.env")).toBe("ops:0.0|lead|1\n");
  expect(paths(box)).toContain(`projects/-srv-a/${idOf(4)}.jsonl`);
});

test("a transcript in the standard folder is packed too, whatever CLAUDE_CONFIG_DIR is", async () => {
  const { env, stores, claude } = await host2();
  renameSync(claude, join(env.HOME!, ".claude"));
  const box = await packBundle({ env, stores }, { host, teams: [api!] });
  expect(box.problems).toEqual([]);
  expect(paths(box).filter((path) => path.endsWith(`/${idOf(2)}.jsonl`))).toHaveLength(1);
});

test("all teams: each from the newest snapshot that has it", async () => {
  const world = await host2();
  const box = await packBundle(world, { teams: null, host });
  expect(box.page.teams).toEqual([api, web]);
  expect(box.rows.map(({ uuid }) => uuid)).toEqual([idOf(2), idOf(3)]);
  expect(paths(box)).toContain("hivemind.snapshot.20330518T033320.env");
  expect(box.problems).toEqual([]);
});

test("an unknown team is refused, and a missing transcript is reported", async () => {
  const world = await host2();
  const nobody = packBundle(world, { teams: ["ops" as TeamName], host });
  await expect(nobody).rejects.toMatchObject({
    message: 'nothing is stored for a team "ops"',
    hint: "there are: api, web",
  });
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const { problems } = await packBundle(world, { teams: [web!], host });
  expect(problems).toEqual([`there is no transcript of ${idOf(7)}`]);
});

test("a transcript in a folder that no client would name so stays here, and the rest is packed", async () => {
  const world = await host2();
  writeTranscript(transcriptPath(world.claude, idOf(7), "my copies"), user("m7"));
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const box = await packBundle(world, { teams: [web!], host });
  expect(box.problems[0]).toContain("my copies");
  expect(readManifest(box.page)).toEqual(box.page);
});

test("nothing is packed while a transcript may be in an unreadable place (incident 64)", async () => {
  const world = await host2();
  symlinkSync("loop", join(world.claude, "projects", "loop"));
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  await expect(packBundle(world, { teams: [web!], host })).rejects.toMatchObject({
    message: expect.stringContaining(`the transcript of ${idOf(7)} could not be seen`),
    exitCode: 3,
  });
});

test("for a fork without a conversation its parent's transcript is packed", async () => {
  const world = await host2();
  await world.stores.forks.append([
    { at: "2026-04-22T08:52:40Z", pane: null, role: null, uuid: idOf(7), state: "stable", parent: idOf(4) },
  ]);
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const box = await packBundle(world, { teams: [web!], host });
  expect(paths(box)).toContain(`projects/-srv-a/${idOf(4)}.jsonl`);
});

test("only whole lines of a transcript are packed, even if it grows meanwhile", async () => {
  const world = await host2();
  const path = transcriptPath(world.claude, idOf(3));
  appendFileSync(path, '{"half');
  const box = await packBundle(world, { teams: [web!], host });
  appendFileSync(path, ' a line"}\nand more\n');
  expect(await text(box, `projects/-srv-a/${idOf(3)}.jsonl`)).toBe(`${user("m3")}\n`);
});

test("a transcript that shrinks meanwhile is an error, not a file", async () => {
  const world = await host2();
  const box = await packBundle(world, { teams: [web!], host });
  writeFileSync(transcriptPath(world.claude, idOf(3)), "{}\n");
  await expect(text(box, `projects/-srv-a/${idOf(3)}.jsonl`)).rejects.toThrow("became shorter");
});

test("packing changes nothing", async () => {
  const world = await host2();
  const before = [contentsOf(world.config), contentsOf(world.claude)];
  await whole(await packBundle(world, { teams: null, host }));
  expect([contentsOf(world.config), contentsOf(world.claude)]).toEqual(before);
});
