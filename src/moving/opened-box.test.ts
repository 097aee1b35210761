import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../../test/transcripts/files.js";
import type { Role, TeamName } from "../names/gates.js";
import { type BoxRows, boxTexts } from "../stores/box-text.js";
import { openBox } from "./opened-box.js";

const web = "web" as TeamName;
const row = {
  team: web,
  window: 0,
  pane: 0,
  role: null,
  title: "",
  cwd: "/srv/a",
  model: "",
  kind: "claude",
} as const;
const rows: BoxRows = {
  teams: [{ team: web, description: "" }],
  roles: [{ pane: "web:0.0", role: "lead" as Role, epoch: 1 }],
  sessions: [{ pane: "web:0.0", uuid: idOf(1) }],
  forks: [],
  snapshot: { rows: [{ ...row, uuid: idOf(1) }], silent: new Set(), savedAtMs: 1e12 },
  layouts: [],
};

/** A folder of this name as somebody might have copied it, without a page. */
function folderOf(name: string, changed: Partial<BoxRows> = {}) {
  const { root, env } = testHome();
  const folder = join(root, name);
  for (const [path, text] of boxTexts({ ...rows, ...changed })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeTranscript(transcriptPath(folder, idOf(1)), user("m1"));
  const said: string[] = [];
  return { folder, said, open: (path = folder) => openBox(path, env, (line) => said.push(line)) };
}

test("a box gives its teams, its transcripts and the name of its host", async () => {
  const { teams, index, host } = await folderOf("beta").open();
  expect(teams.map(({ team, rows }) => [team, rows[0]?.uuid])).toEqual([[web, idOf(1)]]);
  expect(index.byId.get(idOf(1))).toHaveLength(1);
  expect(host).toBe("beta");
  expect((await folderOf("no host name").open()).host).toBe("moved");
});

test("teams that were never saved come from roles and sessions", async () => {
  const { open, said } = folderOf("beta", { snapshot: null });
  const { teams } = await open();
  expect(teams).toMatchObject([
    { team: web, source: "roles and sessions", rows: [{ uuid: idOf(1), cwd: "/srv/a" }] },
  ]);
  expect(said[0]).toContain("so they are claude: lead");
});

test("a folder that is not there, or has no team, is an error: no other is taken in its place (incident 9)", async () => {
  const { folder, open } = folderOf("beta");
  await expect(open(join(folder, "gone"))).rejects.toThrow("there is no folder");
  await expect(open(join(folder, "projects"))).rejects.toThrow("has no team in it");
});

test("a newer snapshot, or a newer page, is refused before anything is looked at", async () => {
  const { folder, open } = folderOf("beta");
  writeFileSync(join(folder, "hivemind.snapshot.20990101T000000.env"), "# version: 2\n");
  await expect(open()).rejects.toThrow("a snapshot of version 2");
  writeFileSync(join(folder, "box.json"), '{"version":2}');
  await expect(open()).rejects.toThrow("a box of version 2");
  writeFileSync(join(folder, "box.json"), "half");
  await expect(open()).rejects.toThrow("cannot be read");
});
