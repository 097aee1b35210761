import { expect, test } from "vitest";
import { HiveError } from "../../base/errors.js";
import type { PaneAddress, Role, SessionId } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { TeamWorld } from "../world.js";
import { type StartStep, startInTurn } from "./in-turn.js";

const order: string[] = [];

type World = Pick<TeamWorld, "progress" | "interrupted">;

function turn(role: string, start: () => void = () => {}, kind: Kind = "claude"): StartStep<World> {
  const pane: PaneAddress = "web:0.0";
  return {
    ...{ pane, role: role as Role, kind, session: role as SessionId, isAlone: false },
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

test("agents without an account start together, and are reported in order", async () => {
  order.length = 0;
  const demo = (role: string, start?: () => void) => turn(role, start, "demo");
  const taken = await startInTurn(world(), [demo("a"), demo("b", fails("it ended")), demo("c")]);
  expect(order.slice(0, 3)).toEqual(["a begins", "b begins", "c begins"]);
  expect(taken.started.map(({ role }) => role)).toEqual(["a", "c"]);
  expect(taken.failed.map(({ role }) => role)).toEqual(["b"]);
});

test("a bug in one of several starts is thrown after all of them have ended", async () => {
  order.length = 0;
  const bug = () => {
    throw new TypeError("a bug");
  };
  const turns = [turn("a", bug, "demo"), turn("b", () => {}, "demo")];
  await expect(startInTurn(world(), turns)).rejects.toThrow(TypeError);
  expect(order).toContain("b is up");
});
