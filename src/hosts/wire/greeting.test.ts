import { expect, test } from "vitest";
import { greetingLine, greetingMark, protocol, readGreeting, refuseWithoutTmux } from "./far.js";

const behindMark = (line: string) => line.slice(greetingMark.length);

test("a greeting survives a round trip", () => {
  const said = { version: "0.1.0", tmuxTrouble: null };
  expect(readGreeting("beta", behindMark(greetingLine(said)))).toEqual({ protocol, ...said });
});

test.each([
  ["an older protocol", { protocol: protocol - 1, version: "0.0.9" }, /beta has an older hivemind.*0\.0\.9/],
  ["a newer protocol", { protocol: protocol + 1, version: "9.0.0" }, /beta has a newer hivemind, 9\.0\.0/],
  ["none", {}, /older/],
  ["one that is no number", { protocol: "1" }, /older/],
])("%s is refused", (_, greeting, wanted) => {
  expect(() => readGreeting("beta", JSON.stringify(greeting))).toThrow(wanted);
});

test.each(["", "no json", "null"])("%j after the mark is not a greeting", (text) => {
  expect(() => readGreeting("beta", text)).toThrow(/older/);
});

test("a host without a working tmux is refused if agents are to run there", () => {
  const greeting = { protocol, version: "0.1.0", tmuxTrouble: "there is no tmux in PATH" };
  expect(() => refuseWithoutTmux("beta", greeting)).toThrow("tmux does not work on beta: there is no tmux");
  refuseWithoutTmux("beta", { ...greeting, tmuxTrouble: null });
});
