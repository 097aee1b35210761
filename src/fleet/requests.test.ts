import { expect, test } from "vitest";
import type { LiveSession } from "../agents/agent.js";
import { isFirstNamespace, pidNamespace } from "../base/system/pid-namespace.js";
import type { ProcessInfo } from "../base/system/process.js";
import type { RequestFile } from "../stores/hooks/requests.js";
import { requestsOf } from "./requests.js";

const client = 100;
let names = 0;

function request(atMs: number, facts: Partial<RequestFile> = {}, input: object = {}): RequestFile {
  const hook = 200 + ++names;
  return {
    ...{ name: `${names}`.padStart(32, "0"), atMs, clockAtMs: atMs, event: "PermissionRequest" },
    ...{ pid: client, hook, tmux: null, pane: null, digest: `digest ${names}` },
    namespace: pidNamespace(),
    input: { tool_name: "Bash", tool_input: { command: `run ${atMs}` }, ...input },
    ...facts,
  };
}

/** Every hook lives as a child of the client. */
const alive = { findProcess: (pid: number) => ({ pid, ppid: client }) as ProcessInfo };
const waiting = { activity: "waiting", activitySinceMs: 5 } as LiveSession;
const asker = (live: LiveSession | null = waiting) =>
  ({ kind: "claude", process: { pid: client }, live }) as const;
const linesOf = (...given: Parameters<typeof requestsOf>) =>
  requestsOf(...given).map(({ asked }) => asked.line);

test("[RQ4] only a hook that waits as a child of its client has an open request", () => {
  const file = request(10);
  expect(linesOf([file], asker(), alive)).toEqual(["run 10"]);
  expect(linesOf([file], asker(), { findProcess: () => null })).toEqual([]);
  expect(linesOf([file], asker(), { findProcess: (pid) => ({ pid, ppid: 1 }) as ProcessInfo })).toEqual([]);
  expect(linesOf([request(10, { pid: 99 })], asker(), alive)).toEqual([]);
  expect(linesOf([file], { ...asker(), process: null }, alive)).toEqual([]);
  expect(linesOf([file], { ...asker(), kind: "shell" }, alive)).toEqual([]);
  expect(linesOf([request(10, { input: null })], asker(), alive)).toEqual([]);
});

test("[RQ4] a request of another pid namespace is not open", () => {
  for (const namespace of ["pid:[7]", null])
    expect(linesOf([request(10, { namespace })], asker(), alive)).toEqual(
      namespace === null && isFirstNamespace(pidNamespace()) ? ["run 10"] : [],
    );
});

test("[RQ5] requests of one moment are open together, and every one of the agent's sub-agents", () => {
  const files = [
    request(10),
    request(20, {}, { agent_id: "a" }),
    request(30),
    request(40, {}, { agent_id: "b" }),
  ];
  expect(linesOf(files, asker(), alive)).toEqual(["run 10", "run 20", "run 30", "run 40"]);
  const later = { activity: "waiting", activitySinceMs: 2_000 } as LiveSession;
  expect(linesOf([...files, request(1_990)], asker(later), alive)).toEqual(["run 20", "run 40", "run 1990"]);
});

test("[RQ5] of a client that does not report, only the newest is open, and none if its hook was killed", () => {
  const [first, second] = [request(10), request(20)];
  expect(linesOf([first, second], asker(null), alive)).toEqual(["run 20"]);
  const findProcess = (pid: number) => (pid === second.hook ? null : alive.findProcess(pid));
  expect(linesOf([first, second], asker(null), { findProcess })).toEqual([]);
});

test.each([
  ["waiting", 5, true],
  ["waiting", 60, true],
  ["waiting", 2_000, false],
  ["busy", 5, true],
  ["busy", 60, false],
  ["idle", 60, false],
  [null, 60, true],
] as const)(
  "[RQ5] a client that is %s since %i keeps a request from 10 open: %s",
  (activity, activitySinceMs, isOpen) => {
    const live = { activity, activitySinceMs } as LiveSession;
    expect(linesOf([request(10)], asker(live), alive)).toEqual(isOpen ? ["run 10"] : []);
    expect(linesOf([request(10, {}, { agent_id: "a" })], asker(live), alive)).toEqual(["run 10"]);
  },
);

test("[RQ6] a changed request has another id", () => {
  const file = request(10);
  const [first] = requestsOf([file], asker(), alive);
  const [again] = requestsOf([{ ...file }], asker(), alive);
  const [changed] = requestsOf([{ ...file, digest: "another" }], asker(), alive);
  expect(first!.id).toMatch(/^req-[a-z2-7]{8}$/);
  expect(again!.id).toBe(first!.id);
  expect(changed!.id).not.toBe(first!.id);
});
