import { appendFileSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentsOf } from "../../test/contents.js";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { Host, Role, SessionId, TeamName } from "../names/gates.js";
import { readPage } from "../stores/box-page.js";
import { openStores } from "../stores/stores.js";
import { type Box, packBox } from "./pack.js";

const [web, api] = ["web", "api"] as TeamName[];
const host = "alpha" as Host;

/** Two teams with an agent each; what else lies about is nobody's business. */
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

const paths = ({ page }: Box) => page.files.map(({ path }) => path).sort();

async function text(box: Box, path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of box.bytesOf(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

async function whole(box: Box): Promise<string> {
  return (await Promise.all(paths(box).map((path) => text(box, path)))).join("");
}

test("[PCK1] one team: its rows, its newest save, its lineage and its transcripts, and nothing of others (incident 13)", async () => {
  const world = await host2();
  const box = await packBox(world, { teams: [web!], host });
  expect(readPage(JSON.parse(JSON.stringify(box.page)))).toEqual(box.page);
  expect(paths(box).filter((path) => path.startsWith("projects/"))).toEqual(
    [1, 3].map((number) => `projects/-srv-a/${idOf(number)}.jsonl`),
  );
  const all = await whole(box);
  for (const other of ["canary", "api", idOf(2), idOf(4)]) expect(all).not.toContain(other);
  expect(all).toContain(`${idOf(9)}|stable|${idOf(8)}`);
  expect(box.rows.map(({ uuid }) => uuid)).toEqual([idOf(3)]);
});

test("[PCK1] a transcript in the standard folder goes too, whatever CLAUDE_CONFIG_DIR the packer has", async () => {
  const { env, stores, claude } = await host2();
  renameSync(claude, join(env.HOME!, ".claude"));
  const box = await packBox({ env, stores }, { host, teams: [api!] });
  expect(box.problems).toEqual([]);
  expect(paths(box).filter((path) => path.endsWith(`/${idOf(2)}.jsonl`))).toHaveLength(1);
});

test("[PCK1] all teams: each from the newest save that has it", async () => {
  const world = await host2();
  const box = await packBox(world, { teams: null, host });
  expect(box.page.teams).toEqual([api, web]);
  expect(box.rows.map(({ uuid }) => uuid)).toEqual([idOf(2), idOf(3)]);
  expect(paths(box)).toContain("hivemind.snapshot.20330518T033320.env");
  expect(box.problems).toEqual([]);
});

test("[PCK1] a team that is not there is refused, and what is missing is said", async () => {
  const world = await host2();
  const nobody = packBox(world, { teams: ["ops" as TeamName], host });
  await expect(nobody).rejects.toMatchObject({
    message: 'nothing is stored of a team "ops"',
    hint: "there are: api, web",
  });
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const { problems } = await packBox(world, { teams: [web!], host });
  expect(problems).toEqual([`there is no transcript of ${idOf(7)}`]);
});

test("[PCK1] a transcript in a folder that no client would name so stays here, and the rest goes", async () => {
  const world = await host2();
  writeTranscript(transcriptPath(world.claude, idOf(7), "my copies"), user("m7"));
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const box = await packBox(world, { teams: [web!], host });
  expect(box.problems[0]).toContain("my copies");
  expect(readPage(box.page)).toEqual(box.page);
});

test("[PCK1] nothing leaves while a transcript may lie where nobody could look (incident 64)", async () => {
  const world = await host2();
  symlinkSync("loop", join(world.claude, "projects", "loop"));
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  await expect(packBox(world, { teams: [web!], host })).rejects.toMatchObject({
    message: expect.stringContaining(`the transcript of ${idOf(7)} could not be seen`),
    exitCode: 3,
  });
});

test("[PCK1] of a fork that has said nothing its parent's transcript goes", async () => {
  const world = await host2();
  await world.stores.forks.append([
    { at: "2026-04-22T08:52:40Z", pane: null, role: null, uuid: idOf(7), state: "stable", parent: idOf(4) },
  ]);
  await world.stores.sessions.update(() => [{ pane: "web:0.0", uuid: idOf(7) }]);
  const box = await packBox(world, { teams: [web!], host });
  expect(paths(box)).toContain(`projects/-srv-a/${idOf(4)}.jsonl`);
});

test("[PCK2] a transcript goes as far as its whole lines, however it grows meanwhile", async () => {
  const world = await host2();
  const path = transcriptPath(world.claude, idOf(3));
  appendFileSync(path, '{"half');
  const box = await packBox(world, { teams: [web!], host });
  appendFileSync(path, ' a line"}\nand more\n');
  expect(await text(box, `projects/-srv-a/${idOf(3)}.jsonl`)).toBe(`${user("m3")}\n`);
});

test("[PCK2] one that became shorter meanwhile is an error, not a file", async () => {
  const world = await host2();
  const box = await packBox(world, { teams: [web!], host });
  writeFileSync(transcriptPath(world.claude, idOf(3)), "{}\n");
  await expect(text(box, `projects/-srv-a/${idOf(3)}.jsonl`)).rejects.toThrow("became shorter");
});

test("[PCK3] packing changes nothing", async () => {
  const world = await host2();
  const before = [contentsOf(world.config), contentsOf(world.claude)];
  await whole(await packBox(world, { teams: null, host }));
  expect([contentsOf(world.config), contentsOf(world.claude)]).toEqual(before);
});
