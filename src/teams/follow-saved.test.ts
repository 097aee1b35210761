import { describe, expect, test } from "vitest";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { followSaved } from "./follow-saved.js";

/** `1.3 po a`: a saved pane with its role and session, `–` for none. */
function savedRow(text: string): SnapshotRow {
  const [place, role, uuid] = text.split(" ") as [string, string, string];
  const [window, pane] = place.split(".").map(Number) as [number, number];
  const known = (word: string) => (word === "–" ? null : word);
  const rest = { title: "", cwd: "", model: "", kind: "demo" } as const;
  const named = { role: known(role) as Role | null, uuid: known(uuid) as SessionId | null };
  return { team: "t" as TeamName, window, pane, ...named, ...rest };
}

interface Given {
  saved: string[];
  /** Address → role and session of its rows. */
  rows: Record<string, string>;
  /** How much higher tmux counts panes now. */
  shift?: number;
  /** Places in which agents run. */
  taken?: string[];
  /** Session → where it runs. */
  running?: Record<string, string>;
}

function moved({ saved, rows, shift = 0, taken = [], running = {} }: Given): string[] {
  const snapshot = saved.map(savedRow);
  const built = snapshot.map(({ window, pane }) => ({
    window,
    pane,
    address: `t:${window}.${pane + shift}` as PaneAddress,
    isVacant: !taken.includes(`${window}.${pane}`),
  }));
  const entries = Object.entries(rows).map(
    ([pane, words]) => [pane as PaneAddress, words.split(" ")] as const,
  );
  const roles = entries.map(([pane, [role]]) => ({ pane, role: role as Role, epoch: 1 }));
  const sessions = entries.map(([pane, [, uuid]]) => ({ pane, uuid: uuid as SessionId }));
  const stored = {
    roles: roles.filter(({ role }) => (role as string) !== "–"),
    sessions: sessions.filter(({ uuid }) => (uuid as string) !== "–"),
  };
  const seen = Object.entries(running) as [SessionId, PaneAddress][];
  const { gone, moves } = followSaved(
    snapshot,
    built,
    stored,
    seen.map(([uuid, address]) => ({ uuid, address })),
  );
  return [...gone.map((pane) => `gone ${pane}`), ...moves.map(({ from, to }) => `${from} → ${to}`)];
}

describe("rows of a team that comes back", () => {
  test.each<[string, Given, string[]]>([
    [
      "[FOS1] stay where their agents are",
      { saved: ["0.0 po a", "0.1 dev b"], rows: { "t:0.0": "po a" } },
      [],
    ],
    [
      "[FOS1] follow sessions that stood elsewhere when it was saved",
      { saved: ["0.0 po a", "0.1 dev b"], rows: { "t:0.0": "dev b", "t:0.1": "po a" } },
      ["t:0.0 → t:0.1", "t:0.1 → t:0.0"],
    ],
    [
      "[FOS1] follow a role whose session has changed since",
      { saved: ["0.3 – –", "0.4 po a"], rows: { "t:0.3": "po z" } },
      ["t:0.3 → t:0.4"],
    ],
    [
      "[FOS1] follow a session that was named since",
      { saved: ["0.0 – a"], rows: { "t:0.1": "po a" } },
      ["t:0.1 → t:0.0"],
    ],
    [
      "[FOS1] do not follow a session that another row names too (incident 45)",
      { saved: ["0.0 po a", "0.1 dev b"], rows: { "t:0.0": "po b", "t:0.1": "dev b" } },
      [],
    ],
    [
      "[FOS1] follow a session that runs, though the snapshot does not know it",
      { saved: ["0.0 po a"], rows: { "t:0.1": "late z" }, running: { z: "t:0.2" } },
      ["t:0.1 → t:0.2"],
    ],
    [
      "[FOS1] are where the snapshot has a session, not where a second one runs",
      { saved: ["0.0 po a"], rows: { "t:0.1": "x a" }, running: { a: "t:0.2" } },
      ["t:0.1 → t:0.0"],
    ],
    [
      "[FOS2] go where the snapshot knows neither session nor role",
      { saved: ["0.0 po a", "0.1 – –"], rows: { "t:0.0": "po a", "t:0.1": "late z" } },
      ["gone t:0.1"],
    ],
    [
      "[FOS2] do not come to stand on one place",
      { saved: ["0.0 po a"], rows: { "t:0.0": "po a", "t:0.1": "po z" } },
      ["gone t:0.1"],
    ],
    [
      "[FOS2] are told no place by what stands twice in the snapshot",
      { saved: ["0.0 po a", "0.1 po b"], rows: { "t:0.2": "po z" } },
      ["gone t:0.2"],
    ],
    [
      "[FOS3] keep their places when tmux counts from another number",
      { saved: ["0.0 po a", "0.1 – –"], rows: { "t:0.0": "po a" }, shift: 1 },
      ["t:0.0 → t:0.1", "t:0.1 → t:0.2"],
    ],
    [
      "[FOS3] leave what an agent without a row has where it was given it",
      { saved: ["0.0 po a", "0.1 – b"], rows: { "t:0.0": "po a" }, shift: 1, taken: ["0.1"] },
      ["t:0.0 → t:0.1"],
    ],
  ])("%s", (_, given, expected) => expect(moved(given)).toEqual(expected));
});
