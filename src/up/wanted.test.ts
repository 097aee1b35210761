import { expect, test } from "vitest";
import { unread } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import { agent, factsOf, fileOf, lead, seated, written } from "../../test/up/made.js";
import type { WorktreePlace } from "../git/worktree-list.js";
import type { Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { WantedAgent } from "../teamfile/team-file.js";
import { planTeam } from "./plan.js";
import { beginningAnew, type PathKind, type WantedFacts, type Wishes, wantedAgent } from "./wanted.js";

const own = deriveSessionId("shop", "lead");
const dev = deriveSessionId("shop", "dev");
const other = idOf(7) as SessionId;
const wishes: Wishes = { anew: new Set(), isBroadAllowed: false, own: null };

function want(
  agents: readonly WantedAgent[],
  facts: (file: ReturnType<typeof fileOf>) => WantedFacts,
  { at = 0, ...asked }: Partial<Wishes> & { at?: number } = {},
) {
  const file = fileOf(...agents);
  return wantedAgent(file, agents[at]!, facts(file), { ...wishes, ...asked });
}

test("the conversation id is derived from the agent's name, unless the agent moved on", () => {
  const agents = [agent("lead")];
  expect(want(agents, factsOf)).toMatchObject({ session: own, isMoved: false });
  const moved = [{ project: "shop", agent: lead, uuid: other }];
  expect(want(agents, (file) => factsOf(file, [], [], { moved }))).toMatchObject({
    ...{ session: other, isMoved: true },
    opening: { session: { how: "create", id: other } },
  });
  const live = (file: ReturnType<typeof fileOf>) =>
    factsOf(file, [seated(0, agents[0]!, own)], [], { moved });
  expect(want(agents, live)).toMatchObject({ session: own, isMoved: false });
  const elsewhere = [{ project: "shop2", agent: lead, uuid: other }];
  expect(want(agents, (file) => factsOf(file, [], [], { moved: elsewhere })).session).toBe(own);
});

test("a transcript under its folder is resumed, also through a link; without one a session is created", () => {
  const agents = [agent("lead", { cwd: "/link" })];
  expect(want(agents, (file) => factsOf(file, [], [written(own)]))).toMatchObject({
    opening: { cwd: "/a", session: { how: "resume", id: own } },
  });
  expect(want(agents, factsOf)).toMatchObject({ opening: { session: { how: "create", id: own } } });
});

test("a transcript under another folder is refused with that folder", () => {
  const facts = (file: ReturnType<typeof fileOf>) => factsOf(file, [], [written(own, "/other/place")]);
  expect(want([agent("lead")], facts).opening).toEqual({
    why: `its conversation ${own} belongs to /other/place, not to /a`,
    hint: "set its cwd to that folder, or start fresh: hivemind up lead --fresh",
  });
  const both = (file: ReturnType<typeof fileOf>) =>
    factsOf(file, [], [written(own, "/other/place"), written(own)]);
  expect(want([agent("lead")], both)).toMatchObject({ opening: { session: { how: "resume" } } });
});

test.each([
  ["as it is", "/claude"],
  ["with a trailing slash", "/claude/"],
  ["through a link", "/claudelink"],
])("with its own account, written %s, only transcripts there count", (_, account) => {
  const real = (path: string) => path.replace(/^\/claudelink/, "/claude").replace(/\/$/, "");
  const how = (folder: string) =>
    want([agent("lead", { env: { CLAUDE_CONFIG_DIR: folder } })], (file) =>
      factsOf(file, [], [written(own)], { realFolder: real }),
    ).opening;
  expect(how(account)).toMatchObject({ session: { how: "resume" } });
  expect(how("/clau")).toMatchObject({ session: { how: "create" } });
});

test("a fork copies its parent's conversation once; then it has its own", () => {
  const agents = [agent("lead"), agent("dev", { fork: lead })];
  const wantDev = (...args: Parameters<typeof factsOf> extends [unknown, ...infer Rest] ? Rest : never) =>
    want(agents, (file) => factsOf(file, ...args), { at: 1 }).opening;
  expect(wantDev([], [written(own)])).toMatchObject({ session: { how: "fork", id: dev, parent: own } });
  const moved = [{ project: "shop", agent: lead, uuid: other }];
  expect(wantDev([], [written(other)], { moved })).toMatchObject({ session: { how: "fork", parent: other } });
  expect(wantDev([], [written(own), written(dev)])).toMatchObject({ session: { how: "resume", id: dev } });
  expect(wantDev()).toMatchObject({ why: "lead has no conversation yet: there is nothing to fork" });
  expect(wantDev([], [written(own, "/b")])).toMatchObject({
    why: `the conversation of lead ${own} belongs to /b, not to /a`,
  });
});

test("a fork waits for a parent with a role prompt", () => {
  const agents = [agent("lead", { promptPaths: ["/p"] }), agent("dev", { fork: lead })];
  expect(want(agents, factsOf, { at: 1 })).toMatchObject({ opening: { awaits: lead } });
});

test("a role prompt is given to a new conversation, all files in order, and its absence is an error only then", () => {
  const agents = [agent("lead", { promptPaths: ["/p", "/q"] })];
  expect(want(agents, factsOf)).toMatchObject({ opening: { prompt: "words of /p\n\nwords of /q" } });
  expect(want(agents, (file) => factsOf(file, [], [written(own)]))).toMatchObject({
    opening: { prompt: null },
  });
  const missing = [agent("lead", { promptPaths: ["/gone/p"] })];
  expect(want(missing, factsOf).opening).toMatchObject({ why: "there is no role prompt /gone/p" });
  expect(want(missing, (file) => factsOf(file, [], [written(own)]))).toMatchObject({
    opening: { session: { how: "resume" } },
  });
});

test.each([
  [`/claude/projects/-a/${own}.jsonl`, true],
  [`/claude/projects/-a/${other}.jsonl`, false],
  ["/claude/projects/-b", true],
  ["/claude/projects", true],
])("while %s is unreadable an agent does not start fresh unless asked (incident 64)", (path, isHidden) => {
  const seen = (file: ReturnType<typeof fileOf>) => {
    const facts = factsOf(file);
    return { ...facts, fleet: unread(facts.fleet, path) };
  };
  const hidden = {
    why: `its conversation ${own} could not be seen: ${path}: EACCES`,
    ...{ hint: `see why: ls -ld ${path}`, exitCode: 3 },
  };
  const created = { session: { how: "create", id: own } };
  const how = (env: WantedAgent["env"], asked?: Partial<Wishes>) =>
    want([agent("lead", { env })], seen, asked).opening;
  expect(how({})).toMatchObject(isHidden ? hidden : created);
  expect(how({ CLAUDE_CONFIG_DIR: "/claude" })).toMatchObject(isHidden ? hidden : created);
  expect(how({ CLAUDE_CONFIG_DIR: "/another" })).toMatchObject(created);
  expect(how({}, { anew: new Set([lead]) })).toMatchObject(created);
  const fork = [agent("lead", { promptPaths: ["/p"] }), agent("dev", { fork: lead })];
  expect(want(fork, seen, { at: 1 }).opening).toMatchObject(
    isHidden ? { exitCode: 3 } : { session: { how: "fork", parent: own } },
  );
  const plan = planTeam(fileOf(agent("lead")), new Set([lead]), seen(fileOf(agent("lead"))), wishes, "up");
  expect(plan.steps).toMatchObject([isHidden ? { do: "refuse", ...hidden } : { do: "add" }]);
});

test("a fresh start uses the derived id, whatever the agent moved on to and wherever its transcript is", () => {
  const moved = [{ project: "shop", agent: lead, uuid: other }];
  const facts = (file: ReturnType<typeof fileOf>) =>
    factsOf(file, [], [written(other), written(own, "/b")], { moved });
  expect(want([agent("lead")], facts, { anew: new Set([lead]) }).opening).toMatchObject({
    ...{ isAnew: true, session: { how: "create", id: own } },
  });
});

test("a fresh start is for agents given with --fresh, and by policy for those that do not run", () => {
  const agents = [
    agent("lead", { start: "fresh" }),
    agent("dev", { start: "fresh" }),
    agent("sh", { kind: "shell" }),
  ];
  const file = fileOf(...agents);
  const { seats } = factsOf(file, [seated(0, agents[0]!, own)]);
  const all = new Set(agents.map(({ id }) => id));
  expect([...beginningAnew(file, all, seats, false)]).toEqual(["dev"]);
  expect([...beginningAnew(file, all, seats, true)]).toEqual(["lead", "dev"]);
  expect([...beginningAnew(file, new Set([lead]), seats, true)]).toEqual(["lead"]);
});

test.each<[string, Partial<WantedAgent>, string]>([
  ["no folder", { cwd: "/gone" }, "there is no folder /gone"],
  ["the root", { cwd: "/" }, "refused to start in /: it is the root folder"],
  ["the home folder", { cwd: "/home/me" }, "refused to start in /home/me: it is your home folder"],
  ["a model like an option", { model: "--x" }, 'refused "--x": it cannot be the value of --model'],
])("%s is refused", (_, more, why) => {
  expect(want([agent("lead", more)], factsOf).opening).toMatchObject({ why });
});

test.each<[Partial<WantedAgent>, PathKind, string]>([
  [{ cwd: "/gone/null" }, "something else", "/gone/null is not a folder"],
  [{ promptPaths: ["/gone/p"] }, "folder", "the role prompt /gone/p is not a file"],
  [
    { promptPaths: ["/gone/p"] },
    "file",
    "the role prompt /gone/p is unreadable or has more than 1048576 bytes",
  ],
])("%j differs from a missing path if it is %s", (more, kind, why) => {
  const facts = (file: ReturnType<typeof fileOf>) => factsOf(file, [], [], { kindOf: () => kind });
  expect(want([agent("lead", more)], facts).opening).toMatchObject({ why });
});

test("an unfinished worktree is refused with the command that removes it", () => {
  const place: WorktreePlace = {
    ...{ repository: "/a b", branch: "x", path: "/a b.worktrees/x", folder: "/a b.worktrees/x" },
    is: "unfinished",
  };
  const facts = (file: ReturnType<typeof fileOf>) => factsOf(file, [], [], { worktreeOf: () => place });
  expect(want([agent("lead", { worktree: "x" })], facts).opening).toEqual({
    why: "the worktree /a b.worktrees/x is still being created, or was interrupted",
    hint: "git -C '/a b' worktree remove -f -f '/a b.worktrees/x'",
  });
});

test("a broad folder is allowed on request, and for an agent that already runs there", () => {
  const agents = [agent("lead", { cwd: "/" })];
  expect(want(agents, factsOf, { isBroadAllowed: true }).opening).toMatchObject({ cwd: "/" });
  const running = (file: ReturnType<typeof fileOf>) => factsOf(file, [seated(0, agents[0]!, own)]);
  expect(want(agents, running).opening).toMatchObject({ cwd: "/" });
});

test("an agent works in its worktree; two agents on one branch, and a branch in use, are refused", () => {
  const branch = { worktree: "x" };
  const agents = [agent("lead", branch), agent("dev", branch)];
  const place: WorktreePlace = {
    ...{ repository: "/a", branch: "x", path: "/a.worktrees/x", folder: "/a.worktrees/x", is: "make" },
  };
  const facts = (file: ReturnType<typeof fileOf>) => factsOf(file, [], [], { worktreeOf: () => place });
  expect(want(agents, facts).opening).toMatchObject({ cwd: "/a.worktrees/x", worktree: place });
  expect(want(agents, facts, { at: 1 }).opening).toMatchObject({
    why: "lead already works on the branch x",
  });
  const inUse = (file: ReturnType<typeof fileOf>) =>
    factsOf(file, [], [], { worktreeOf: (_: Role) => "the branch x is checked out in /a" });
  expect(want(agents, inUse).opening).toEqual({
    why: "the branch x is checked out in /a",
    hint: expect.stringMatching(/^change its cwd or worktree in \S+$/),
  });
});
