import { expect, test } from "vitest";
import { ScreenError } from "./error.js";
import type { Screen } from "./screen.js";
import { findSession, listSessions, parseSessions } from "./session.js";

const line = (name: string, state: string) => `\t${name}\t(11/15/26 15:44:05)\t(${state})`;
const listed = (...lines: string[]) => ["There are screens on:", ...lines, "2 Sockets in /s."].join("\n");
const answering = (printed: string, failure: ScreenError | null = null): Screen => ({
  run: async () => printed,
  ask: async () => ({ printed, failure }),
});

test.each([
  [listed(line("4711.tronMon", "Detached")), ["4711.tronMon detached"]],
  [listed(line("4711.tronMon", "Attached")), ["4711.tronMon attached"]],
  [listed(line("4711.tronMon", "Multi, attached")), ["4711.tronMon attached"]],
  [listed(line("4711.tronMon", "Dead ???")), ["4711.tronMon dead"]],
  [listed(line("4711.tronMon", "Remote or dead")), ["4711.tronMon dead"]],
  [listed("\t4711.a.b c\t(Detached)", line("8.x", "Detached")), ["4711.a.b c detached", "8.x detached"]],
  ["No Sockets found in /s.\n\n", []],
])("%j is %j", (printed, sessions) => {
  expect(parseSessions(printed).map(({ id, state }) => `${id} ${state}`)).toEqual(sessions);
});

test("a longer name, and the leftover of a query, are other sessions (incident 58)", async () => {
  const others = [
    line("1.tronMonitor", "Attached"),
    line("2.tronMon-queryA", "Dead ???"),
    line("3.mytronMon", "Attached"),
  ];
  expect(await findSession(answering(listed(...others)), "tronMon")).toBeNull();
  const screen = answering(listed(...others, line("2.tronMon", "Detached")));
  expect(await findSession(screen, "tronMon")).toMatchObject({ id: "2.tronMon", pid: 2, state: "detached" });
});

test("if two have the same name, the error lists them and neither is used", async () => {
  const two = answering(listed(line("1.tronMon", "Attached"), line("2.tronMon", "Detached")));
  await expect(findSession(two, "tronMon")).rejects.toMatchObject({
    reason: "several",
    message: expect.stringContaining("1.tronMon, 2.tronMon"),
    hint: expect.stringContaining("screen -S 1.tronMon -X quit"),
  });
});

test("a socket whose process is gone is neither a session nor nothing", async () => {
  const dead = line("1.tronMon", "Dead ???");
  await expect(findSession(answering(listed(dead)), "tronMon")).rejects.toMatchObject({ reason: "dead" });
  const both = answering(listed(dead, line("2.tronMon", "Detached")));
  expect(await findSession(both, "tronMon")).toMatchObject({ id: "2.tronMon" });
});

test("a failed listing is not an empty one", async () => {
  const failure = new ScreenError("failed", "screen -ls");
  expect(await listSessions(answering("No Sockets found in /s.\n\n", failure))).toEqual([]);
  expect(await listSessions(answering(listed(line("1.x", "Dead ???")), failure))).toHaveLength(1);
  await expect(listSessions(answering("Directory '/s' must have mode 700.\n", failure))).rejects.toBe(
    failure,
  );
});
