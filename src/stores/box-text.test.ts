import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import type { Role, SessionId, TeamName } from "../names/gates.js";
import { type BoxRows, boxTexts, boxTranscript, isBoxPath } from "./box-text.js";
import { openStores } from "./stores.js";

const id = "00000000-0000-4000-8000-000000000001" as SessionId;
const web = "web" as TeamName;
const box: BoxRows = {
  teams: [{ team: web, description: "the site" }],
  roles: [{ pane: "web:0.0", role: "lead" as Role, epoch: 7 }],
  sessions: [{ pane: "web:0.0", uuid: id }],
  forks: [{ at: "2026-04-22T08:52:40Z", pane: null, role: null, uuid: id, state: "live", parent: null }],
  snapshot: {
    rows: [
      {
        team: web,
        window: 0,
        pane: 0,
        role: null,
        uuid: id,
        title: "t",
        cwd: "/a",
        model: "",
        kind: "claude",
      },
    ],
    silent: new Set([id]),
    savedAtMs: Date.UTC(2026, 3, 22, 8, 52, 40),
  },
  layouts: [
    {
      team: web,
      windows: [
        { window: 0, name: "all", layout: "x", panes: [{ pane: 0, title: "t", cwd: "/a", command: "" }] },
      ],
    },
  ],
};

test("[BX2] a box reads back as what it was made of, with the readers of a config folder", () => {
  const { config } = testHome();
  for (const [path, text] of boxTexts(box)) {
    mkdirSync(dirname(join(config, path)), { recursive: true });
    writeFileSync(join(config, path), text);
  }
  const stores = openStores({ HIVEMIND_CONFIG_DIR: config });
  expect(stores.teams.read().rows).toEqual(box.teams);
  expect(stores.roles.read().rows).toEqual(box.roles);
  expect(stores.sessions.read().rows).toEqual(box.sessions);
  expect([...stores.forks.scan()]).toEqual(box.forks);
  expect(stores.layouts.read(web)).toEqual(box.layouts[0]);
  const [file] = stores.snapshots.list();
  expect(stores.snapshots.read(file!.path)).toMatchObject({
    rows: box.snapshot!.rows,
    silent: box.snapshot!.silent,
  });
  expect(file!.savedAtMs).toBe(box.snapshot!.savedAtMs);
  expect(stores.problems()).toEqual([]);
});

test("[BX1] all that is packed has a place in a box", () => {
  for (const path of [...boxTexts(box).keys(), boxTranscript("-srv-a", id)])
    expect(isBoxPath(path)).toBe(true);
});

test.each([
  "",
  ".",
  "..",
  "/etc/passwd",
  "../hivemind.roles.env",
  "hivemind.receipts.log",
  "hivemind.queue/web_0_0.queue",
  ".credentials.json",
  "box.json",
  "otmux/../x.layout.env",
  "otmux/a b.layout.env",
  "otmux/.layout.env",
  "hivemind.snapshot.20260422T085240.env/x",
  "hivemind.snapshot.latest.env",
  "projects/-srv-a/notes.jsonl",
  `projects/-srv-a/${id}.json`,
  `projects/../${id}.jsonl`,
  `projects/${id}.jsonl`,
  `projects/-srv-a/x/${id}.jsonl`,
  `projects/-srv-a/${id}.jsonl\n`,
  `sessions/${id}.jsonl`,
])("[BX1] %j has no place in a box (incident 13)", (path) => expect(isBoxPath(path)).toBe(false));
