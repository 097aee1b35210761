import { expect, test } from "vitest";
import { HiveError } from "../../base/errors.js";
import type { PaneAddress, Role, SessionId } from "../../names/gates.js";
import { type StartStep, startInTurn } from "./in-turn.js";

const order: string[] = [];

function turn(role: string, start: () => void = () => {}): StartStep {
  const pane: PaneAddress = "web:0.0";
  return {
    pane,
    role: role as Role,
    start: async () => {
      order.push(`${role} begins`);
      await Promise.resolve();
      start();
      order.push(`${role} is up`);
      return {
        pane,
        role: role as Role,
        paneId: "%0",
        uuid: role as SessionId,
        parent: null,
        remark: null,
        waitsFor: null,
      };
    },
  };
}

function fails(message: string): () => never {
  return () => {
    throw new HiveError(message, { hint: "look" });
  };
}

function world(controller = new AbortController()) {
  return { progress: () => {}, interrupted: controller.signal };
}

test("a failed agent is reported, and the next one still starts (incident 23)", async () => {
  order.length = 0;
  const taken = await startInTurn(world(), [turn("a"), turn("b", fails("it ended")), turn("c")]);
  expect(taken.started.map(({ role }) => role)).toEqual(["a", "c"]);
  expect(taken.failed).toEqual([{ pane: "web:0.0", role: "b", why: "it ended", hint: "look", exitCode: 1 }]);
  expect(order).toEqual(["a begins", "a is up", "b begins", "c begins", "c is up"]);
});

test.each(["Select login method:", "Not logged in · Please run /login", "Invalid API key"])(
  "%s stops the run",
  async (words) => {
    const taken = await startInTurn(world(), [turn("a", fails(`it waits: ${words}`)), turn("b"), turn("c")]);
    expect(taken).toMatchObject({ started: [], failed: [{ role: "a" }], notReached: 2 });
  },
);

test("an interruption stops after the agent that is being started", async () => {
  const controller = new AbortController();
  const taken = await startInTurn(world(controller), [
    turn("a", () => controller.abort()),
    turn("b"),
    turn("c"),
  ]);
  expect(taken.started.map(({ role }) => role)).toEqual(["a"]);
  expect(taken.notReached).toBe(2);
});

test("an error that is no agent's failure is a bug, and keeps its stack", async () => {
  const bug = () => {
    throw new TypeError("a bug");
  };
  await expect(startInTurn(world(), [turn("a", bug)])).rejects.toThrow(TypeError);
});
