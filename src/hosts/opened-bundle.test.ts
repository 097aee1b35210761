import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role, TeamName } from "../names/gates.js";
import { type BundleRows, bundleTexts } from "../stores/text/bundle.js";
import { openBundle } from "./opened-bundle.js";

const web = "web" as TeamName;
const row = {
  agent: null,
  team: web,
  window: 0,
  pane: 0,
  role: null,
  title: "",
  cwd: "/srv/a",
  model: "",
  kind: "claude",
} as const;
const rows: BundleRows = {
  agents: [],
  teams: [{ team: web, description: "" }],
  roles: [{ pane: "web:0.0", role: "lead" as Role, epoch: 1 }],
  sessions: [{ pane: "web:0.0", uuid: idOf(1) }],
  forks: [],
  snapshot: { rows: [{ ...row, uuid: idOf(1) }], silent: new Set(), savedAtMs: 1e12 },
  layouts: [],
};

/** A folder with this name as a person might have copied it, without a manifest. */
function folderOf(name: string, changed: Partial<BundleRows> = {}) {
  const { root, env } = testHome();
  const folder = join(root, name);
  for (const [path, text] of bundleTexts({ ...rows, ...changed })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeTranscript(transcriptPath(folder, idOf(1)), user("m1"));
  const said: string[] = [];
  return { folder, said, open: (path = folder) => openBundle(path, env, (line) => said.push(line)) };
}

test("a bundle gives its teams, its transcripts and the name of its host", async () => {
  const { teams, index, host } = await folderOf("beta").open();
  expect(teams.map(({ team, rows }) => [team, rows[0]?.uuid])).toEqual([[web, idOf(1)]]);
  expect(index.byId.get(idOf(1))).toHaveLength(1);
  expect(host).toBe("beta");
  expect((await folderOf("no host name").open()).host).toBe("moved");
});

test("teams that an earlier version never saved come from its roles and sessions", async () => {
  const { open, said } = folderOf("beta", { snapshot: null });
  const { teams } = await open();
  expect(teams).toMatchObject([
    { team: web, source: "the roster", rows: [{ role: "lead", uuid: idOf(1), cwd: "/srv/a" }] },
  ]);
  expect(teams[0]!.rows[0]!.agent).toMatch(/^[a-z2-7]{10}$/);
  expect(said[0]).toContain("so they start as claude: lead");
});

test("teams that were never saved come from the roster, with their ids and without seats", async () => {
  const id = "abcdefgh23" as AgentId;
  const server = { socket: "/tmp/tmux", pid: process.pid, startedAt: 1_700_000_000 };
  const seat = { server, pane: "%1" as const };
  const agent = { id, team: web, role: "lead" as Role, kind: "demo", session: idOf(1), epoch: 1 };
  const { open, said } = folderOf("beta", {
    snapshot: null,
    agents: [{ ...agent, seat, address: "web:0.0" }],
  });
  const { teams } = await open();
  expect(teams[0]!.rows).toMatchObject([{ agent: id, role: "lead", uuid: idOf(1), kind: "demo" }]);
  expect(said).toEqual([]);
});

test("a missing folder, or one without a team, is an error: no other is used in its place (incident 9)", async () => {
  const { folder, open } = folderOf("beta");
  await expect(open(join(folder, "gone"))).rejects.toThrow("there is no folder");
  await expect(open(join(folder, "projects"))).rejects.toThrow("has no team");
});

test("a newer snapshot or manifest is refused before anything is read", async () => {
  const { folder, open } = folderOf("beta");
  writeFileSync(join(folder, "hivemind.snapshot.20990101T000000.env"), "# version: 2\n");
  await expect(open()).rejects.toThrow("a snapshot of version 2");
  writeFileSync(join(folder, "box.json"), '{"version":2}');
  await expect(open()).rejects.toThrow("a bundle of version 2");
  writeFileSync(join(folder, "box.json"), "half");
  await expect(open()).rejects.toThrow("cannot be read");
});
