import { expect, test } from "vitest";
import { fleetOf, pane, seated, transcript } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { Role } from "../../names/gates.js";
import { managedId } from "../../names/managed-id.js";
import { projectSlug } from "../../names/slug.js";
import { openWorkspace } from "../../names/workspace.js";
import { WorkspaceMismatch } from "../../names/workspace-mismatch.js";
import type { Problem } from "../../transcripts/transcript.js";
import { paneNamed } from "../find-pane.js";
import { findSession } from "./session-find.js";
import { type AnySession, byAge, listSessions, type ManagedEntry } from "./session-list.js";

const windows = { ordinary: 200_000, large: 1_000_000 };
const [a, b] = [openWorkspace("/a"), openWorkspace("/b")];
const inA = { firstCwd: "/a", lastCwd: "/a", messages: 3 };
const inB = { firstCwd: "/b", lastCwd: "/b", messages: 3 };
const fleet = fleetOf(
  [
    transcript(1, { ...inA, title: "old" }, { modifiedAtMs: 1 }),
    transcript(2, { ...inA, messages: 0 }, { modifiedAtMs: 9 }),
    transcript(3, inB, { modifiedAtMs: 8 }),
    transcript(4, inB, { modifiedAtMs: 2 }),
    transcript(4, inA, { modifiedAtMs: 0 }),
  ],
  [
    [pane("web:0.0", { id: "%1", cwd: "/a", agent: seated("web:0.0", "mgr") }), idOf(1), "live"],
    [pane("web:0.1", { id: "%2", cwd: "/b", agent: seated("web:0.1", "dev") }), idOf(3), "live"],
    [pane("web:0.2", { id: "%3", cwd: "/a" }), null, "unknown"],
  ],
);
const roles = ["mgr", "dev"] as Role[];
const managed = (name: string, workspace = a): ManagedEntry => ({
  ...listSessions(fleet, windows)[0]!,
  store: "managed",
  id: managedId(name),
  workspace,
  panes: [],
  messages: 1,
  updatedAtMs: 4,
  parent: null,
  branch: null,
  isLegacy: false,
  modifiedAtMs: 4,
});
const entries: AnySession[] = [
  ...listSessions(fleet, windows),
  managed("session-5-0"),
  managed("session-5-0", b),
  managed("mgr-notes", b),
].sort(byAge);
const file = (id: string, reason: "moved" | "copied" | "broken" | "unreadable", root: string | null) => ({
  ...{ path: `/a/.claw/sessions/${id}.jsonl`, id: managedId(id), reason, why: `why ${reason}` },
  ...{ workspaceRoot: root, workspace: a },
});
const refused = [
  file("stray", "copied", "/b"),
  file("gone", "moved", "/c"),
  file("rubbish", "broken", null),
  file("closed", "unreadable", null),
  file("session-5-0", "copied", "/b"),
];
const find = (ref: string, here: typeof a | null, problems: readonly Problem[] = []) =>
  findSession(ref, entries, {
    ...{ here, problems, refused, roles },
    paneNamed: (typed) => paneNamed(fleet, typed, { own: null }),
  });
const found = (ref: string, here: typeof a | null) => {
  const { id, workspace } = find(ref, here);
  return [id, workspace?.path];
};

test.each([
  [idOf(1), a, idOf(1), "/a"],
  [idOf(1).toUpperCase(), a, idOf(1), "/a"],
  [idOf(4), a, idOf(4), "/a"],
  [idOf(4), b, idOf(4), "/b"],
  ["session-5-0", a, "session-5-0", "/a"],
  ["session-5-0", b, "session-5-0", "/b"],
  ["mgr-notes", null, "mgr-notes", "/b"],
  ["web:0.0", a, idOf(1), "/a"],
  ["%1", a, idOf(1), "/a"],
  ["mgr", a, idOf(1), "/a"],
  ["dev", null, idOf(3), "/b"],
])("%s is found in %o only", (ref, here, id, folder) => expect(found(ref, here)).toEqual([id, folder]));

test.each(["dev", "web:0.1", "%2"])("%s names the running session, from any folder, if allowed", (ref) => {
  const options = {
    ...{ here: a, problems: [], refused: [], isRunningElsewhereMeant: true },
    roles,
    paneNamed: (typed: string) => paneNamed(fleet, typed, { own: null }),
  };
  expect(findSession(ref, entries, options).id).toBe(idOf(3));
  expect(() => findSession(idOf(3), entries, options)).toThrow(WorkspaceMismatch);
  const ended = {
    ...options,
    paneNamed: (typed: string) => ({ ...options.paneNamed(typed), process: null }),
  };
  expect(() => findSession(ref, entries, ended)).toThrow(WorkspaceMismatch);
});

test.each([idOf(3), "web:0.1", "dev", "mgr-notes"])("%s belongs to another workspace", (ref) => {
  const refusal = expect.objectContaining({ expected: a, actual: b, exitCode: 1 });
  expect(() => find(ref, a)).toThrow(refusal);
  expect(() => find(ref, a)).toThrow(WorkspaceMismatch);
  for (const word of ["/a", "/b", a.fingerprint, b.fingerprint]) {
    expect(() => find(ref, a)).toThrow(expect.objectContaining({ message: expect.stringContaining(word) }));
  }
  expect(() => find(ref, a)).toThrow(expect.objectContaining({ hint: expect.stringContaining("--all") }));
});

test.each([
  ["stray", { expected: a, actual: b, exitCode: 1, hint: expect.stringContaining("rebind stray --copy") }],
  ["gone", { expected: a, actual: openWorkspace("/c"), exitCode: 1 }],
  ["rubbish", { message: "refused /a/.claw/sessions/rubbish.jsonl: why broken", exitCode: 1 }],
  ["closed", { message: expect.stringContaining("why unreadable"), exitCode: 3 }],
])("the file of %s is in this clone, and the error says why it is no session here", (ref, error) => {
  expect(() => find(ref, a)).toThrow(expect.objectContaining(error));
  expect(() => find(ref, b)).toThrow(/no session in \/b .* matches/);
});

test.each([
  ["latest", a, "session-5-0"],
  ["LATEST", a, "session-5-0"],
  ["Last", b, idOf(3)],
  ["last", b, idOf(3)],
  ["recent", null, idOf(3)],
])("%s is the last one with messages", (word, here, id) => expect(found(word, here)[0]).toBe(id));

test("without messages there is no latest, and the hint counts sessions elsewhere", () => {
  const elsewhere = openWorkspace("/nowhere/at/all");
  expect(() => find("latest", elsewhere)).toThrow(/no session with messages in \/nowhere\/at\/all/);
  expect(() => find("latest", elsewhere)).toThrow(
    expect.objectContaining({ hint: expect.stringMatching(/hidden here; there are 7: .*--all/) }),
  );
});

test.each([
  [idOf(4), null, /matches 2 sessions/, `${idOf(4)} in /b, ${idOf(4)} in /a`],
  ["00000000", a, /matches 3 sessions/, idOf(1)],
  ["deadbeef", a, /no session in \/a .*matches "deadbeef"/, `sessions: `],
  ["../x", a, /matches "..\/x"/, "sessions: "],
  ["\u001b[2J", a, /matches "␛\[2J"/, "sessions: "],
  ["", a, /matches ""/, "sessions: "],
  ["nobody", a, /no session in \/a .*matches "nobody"/, "roles: dev, mgr"],
  ["session-9-9", a, /matches "session-9-9"/, `/a/.claw/sessions/${a.fingerprint}`],
  ["session-9-9", a, /fingerprint/, "hidden here; there are 7: "],
  ["session-9-9", b, /no session in \/b/, "hidden here; there are 4: "],
  ["session-9-9", null, /no session in any folder/, "sessions: "],
  ["web:0.9", a, /there is no pane web:0.9/, "panes of web: web:0.0"],
  ["web:0.2", a, /no session is known in pane web:0.2/, "hivemind status"],
])("%j is refused with a list", (ref, here, message, hint) => {
  expect(() => find(ref, here)).toThrow(message);
  expect(() => find(ref, here)).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
});

test("whatever the roles are, ids and the words for the newest come first", () => {
  const named = (["latest", "session-5-0"] as Role[]).map((role, at) =>
    pane(`app:0.${at}`, { agent: seated(`app:0.${at}`, role) }),
  );
  const options = {
    ...{ here: null, problems: [], refused: [], roles: named.flatMap(({ agent }) => agent?.role ?? []) },
    paneNamed: (typed: string) => paneNamed({ ...fleet, panes: named }, typed, { own: null }),
  };
  expect(findSession("latest", entries, { ...options, here: a }).id).toBe("session-5-0");
  expect(findSession("session-5-0", entries, { ...options, here: a }).id).toBe("session-5-0");
});

const far = "deadbeef-0000-4000-8000-000000000000";
const slug = (folder: string) => `/c/projects/${projectSlug(folder)}`;

test.each<[string, Problem["path"], Partial<Problem>, string, boolean]>([
  ["the folder of all projects", "/c/projects", {}, "latest", true],
  ["the folder of this workspace", slug(a.path), {}, "latest", true],
  ["the folder of another workspace", slug(b.path), {}, "latest", false],
  ["a later file of this workspace", `${slug(a.path)}/${idOf(9)}.jsonl`, { modifiedAtMs: 5 }, "recent", true],
  [
    "an earlier file of this workspace",
    `${slug(a.path)}/${idOf(9)}.jsonl`,
    { modifiedAtMs: 4 },
    "latest",
    false,
  ],
  ["a file of another workspace", `${slug(b.path)}/${idOf(9)}.jsonl`, { modifiedAtMs: 5 }, "latest", false],
  ["claw's store of this workspace", `/a/.claw/sessions/${a.fingerprint}`, {}, "latest", true],
  ["the cache", "/cache/transcripts-0", { isAside: true }, "latest", false],
  ["any folder", slug(b.path), {}, idOf(9), true],
  ["its file", `${slug(b.path)}/${far}.jsonl`, { modifiedAtMs: 0 }, far.slice(0, 8), true],
  ["another file", `${slug(a.path)}/${idOf(8)}.jsonl`, {}, idOf(9), false],
])("%s is unreadable: %s", (_, path, more, ref, isHidden) => {
  const look = () => find(ref, a, [{ path, message: "EACCES", ...more }]);
  const message = expect.stringContaining(`could not be seen: ${path}: EACCES`);
  if (isHidden) expect(look).toThrow(expect.objectContaining({ exitCode: 3, message }));
  else if (ref === "latest") expect(look().id).toBe("session-5-0");
  else expect(look).toThrow(expect.objectContaining({ exitCode: 1 }));
});

test("a session is found, whatever else is unreadable", () =>
  expect(find(idOf(1), a, [{ path: "/c/projects", message: "EACCES" }]).id).toBe(idOf(1)));
