import { expect, test } from "vitest";
import type { ProcessInfo } from "../base/system/process.js";
import { needServerOfOurs } from "./server-namespace.js";

const server = { pid: 12, startedAtMs: 10_000_000, socketPath: "/tmp/tmux-0/default" };

function check(found: Partial<ProcessInfo> | null, namespace: string | null = "pid:[7]") {
  return () => needServerOfOurs(server, { findProcess: () => found as ProcessInfo | null }, namespace);
}

test.each<[string, Partial<ProcessInfo>]>([
  ["named tmux", { command: "tmux: server", startedAtMs: 1 }],
  ["of another name that started when the server did", { command: "ld-linux", startedAtMs: 10_000_400 }],
])("a process %s is the server", (_, found) => expect(check(found)).not.toThrow());

test.each<[string, Partial<ProcessInfo> | null]>([
  ["no process", null],
  ["another program", { command: "rcu_sched", startedAtMs: 1 }],
])("a server whose pid is %s here runs in another pid namespace", (_, found) =>
  expect(check(found)).toThrow(/another pid namespace: its pid 12/),
);

test("a server that has just ended is not judged", () =>
  expect(check(null, "pid:[4026531836]")).not.toThrow());

test("no server, and a system without pid namespaces, are not judged", () => {
  expect(() => needServerOfOurs(null, { findProcess: () => null }, "pid:[7]")).not.toThrow();
  expect(check(null, null)).not.toThrow();
});
