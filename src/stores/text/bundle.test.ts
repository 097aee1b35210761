import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import type { AgentId } from "../../names/agent-id.js";
import type { Role, SessionId, TeamName } from "../../names/gates.js";
import { openStores } from "../stores.js";
import { type BundleRows, boxTranscript, bundleTexts, isBundlePath } from "./bundle.js";

const id = "00000000-0000-4000-8000-000000000001" as SessionId;
const web = "web" as TeamName;
const agent = "abcdefgh23" as AgentId;
const away = { id: agent, team: web, kind: "claude", session: id, seat: null } as const;
const box: BundleRows = {
  agents: [{ ...away, role: "lead" as Role, address: "web:0.0", epoch: 7 }],
  teams: [{ team: web, description: "the site" }],
  roles: [{ pane: "web:0.0", role: "lead" as Role, epoch: 7 }],
  sessions: [{ pane: "web:0.0", uuid: id }],
  forks: [{ at: "2026-04-22T08:52:40Z", pane: null, role: null, uuid: id, state: "live", parent: null }],
  snapshot: {
    rows: [
      {
        agent,
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

test("a bundle reads back as what it was made of, with the readers of a config folder", () => {
  const { config } = testHome();
  for (const [path, text] of bundleTexts(box)) {
    mkdirSync(dirname(join(config, path)), { recursive: true });
    writeFileSync(join(config, path), text);
  }
  const stores = openStores({ HIVEMIND_CONFIG_DIR: config });
  expect(stores.roster.read().agents).toEqual(box.agents);
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

test("a bundle of saved teams has no roster: versions without one accept it too", () => {
  expect([...bundleTexts(box).keys()]).toContain("hivemind.agents.env");
  expect([...bundleTexts({ ...box, agents: [] }).keys()]).not.toContain("hivemind.agents.env");
});

test("all packed files belong in a bundle", () => {
  for (const path of [...bundleTexts(box).keys(), boxTranscript("-srv-a", id)])
    expect(isBundlePath(path)).toBe(true);
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
])("%j does not belong in a bundle (incident 13)", (path) => expect(isBundlePath(path)).toBe(false));
