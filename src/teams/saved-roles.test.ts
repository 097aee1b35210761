import { expect, test } from "vitest";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { laterNames, rolesBySession } from "./saved-roles.js";

/** `po a`: a role and a session, `–` for none. */
const words = (text: string) =>
  text.split(" ").map((word) => (word === "–" ? null : word)) as [Role | null, SessionId | null];

function savedRow(text: string, pane: number): SnapshotRow {
  const [role, uuid] = words(text);
  return { team: "t" as TeamName, window: 0, pane, role, uuid, title: "", cwd: "", model: "", kind: "demo" };
}

function names(saved: string[], stored: string[]): (Role | null)[] {
  const rows = stored.map((text, at) => [`t:0.${at}` as PaneAddress, ...words(text)] as const);
  const roles = rows.flatMap(([pane, role]) => (role === null ? [] : [{ pane, role, epoch: 1 }]));
  const sessions = rows.flatMap(([pane, , uuid]) => (uuid === null ? [] : [{ pane, uuid }]));
  return laterNames(saved.map(savedRow), rolesBySession(roles, sessions)).map(({ role }) => role);
}

test.each<[string, string[], string[], (string | null)[]]>([
  ["[SRL1] a later name is kept", ["a 1", "c 2"], ["lead 2", "a 1"], ["a", "lead"]],
  ["[SRL1] so is the first one", ["– 1"], ["po 1"], ["po"]],
  ["[SRL1] two that changed names have them", ["a 1", "c 2"], ["c 1", "a 2"], ["c", "a"]],
  ["[SRL1] a row without a role tells none", ["a 1", "– –"], ["– 1"], ["a", null]],
  ["[SRL1] a session that two rows name tells none", ["a 1"], ["b 1", "c 1"], ["a"]],
  ["[SRL2] no name is had twice", ["lead 1", "c 2"], ["lead 2"], ["lead", "c"]],
])("%s", (_, saved, stored, expected) => expect(names(saved, stored)).toEqual(expected));
