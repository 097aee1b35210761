import { expect, test } from "vitest";
import { a, b, c } from "../../../test/fleet/subjects.js";
import type { JobId, LiveSession } from "../../agents/agent.js";
import { claude } from "../../agents/claude/claude.js";
import type { SessionArguments } from "../../agents/launch.js";
import type { SessionId } from "../../names/gates.js";
import type { Client } from "./clients.js";
import { type BackgroundSession, shownIn } from "./shown-job.js";

const nothing: SessionArguments = { began: null, forkedFrom: null, model: null, name: null };
const live = (sessionId: SessionId, more: Partial<LiveSession> = {}) =>
  ({ sessionId, ...more }) as LiveSession;
const job = (id: JobId, sessionId: SessionId, name: string): BackgroundSession =>
  ({
    agent: claude,
    live: { ...live(sessionId, { name }), job: id },
    parent: null,
  }) as unknown as BackgroundSession;
const background = [job("00000001", a, "lead"), job("00000002", b, "tester"), job("00000003", c, "tester")];

function shown(
  title: string,
  own: Partial<LiveSession> | null,
  shows?: SessionArguments["shows"],
  jobs = background,
) {
  const client = { agent: claude, live: own && live(c, own) } as unknown as Client;
  const given = shows === undefined ? nothing : { ...nothing, shows };
  const left = [{ id: "00000009", session: b, parent: null, name: "old" }];
  const found = shownIn({ title }, client, given, jobs, () => left);
  return found && { isList: found.isList, session: found.live?.sessionId ?? null, maybe: found.maybe };
}

const parked = { parkedJob: "00000001" };

test("a client in its own conversation shows no job", () => expect(shown("✳ lead", {})).toBeNull());

test.each([
  "claude agents",
  "1 awaiting input · claude agents",
  "2 working · 1 awaiting input · claude agents",
])("%j is the list, and the pane's conversation is the parked one", (title) => {
  expect(shown(title, parked)).toEqual({ isList: true, session: a, maybe: [] });
  expect(shown(title, null, { job: null })).toEqual({ isList: true, session: null, maybe: [] });
});

test("a job whose process has ended is known from its file", () => {
  expect(shown("claude agents", { parkedJob: "00000009" })).toMatchObject({ session: b });
});

test("the title names the shown job, whichever was parked", () => {
  expect(shown("✳ lead", parked)).toMatchObject({ isList: false, session: a });
  expect(shown("lead", { parkedJob: "00000002" })).toMatchObject({ session: a });
});

test("a moved conversation without a name has a title of its own, unless a job is called that", () => {
  expect(shown("current session", parked)).toMatchObject({ isList: false, session: a });
  expect(shown("✳ current session", { parkedJob: "00000002" })).toMatchObject({ session: b });
  expect(shown("current session", null, { job: null })).toMatchObject({ session: null });
  const called = [...background, job("00000004", c, "current session")];
  expect(shown("current session", parked, undefined, called)).toMatchObject({ session: c });
});

test("a job without a name has its client's name as title, if no other job lacks a name", () => {
  const [own, other] = [job("00000004", c, "00000004"), job("00000005", b, "00000005")];
  const client = { parkedJob: "00000004", name: "boss" };
  expect(shown("✳ boss", client, undefined, [...background, own])).toMatchObject({ session: c });
  expect(shown("✳ dev", client, undefined, [...background, own])).toMatchObject({ session: null });
  expect(shown("✳ boss", client, undefined, [...background, own, other])).toMatchObject({ session: null });
  expect(
    shown("✳ boss", { ...client, parkedJob: "00000001" }, undefined, [...background, own]),
  ).toMatchObject({
    session: null,
  });
});

test("an attached client shows its job until a title names another", () => {
  expect(shown("host", null, { job: "00000002" })).toMatchObject({ session: b });
  expect(shown("lead", null, { job: "00000002" })).toMatchObject({ session: a });
});

test("with two jobs of one name, or none, the shown one is unknown", () => {
  expect(shown("tester", parked)).toEqual({ isList: false, session: null, maybe: [b, c] });
  expect(shown("other", parked)).toEqual({ isList: false, session: null, maybe: [a, b, c] });
});
