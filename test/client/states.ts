// The states of a client in which a message may find it: how a test brings a client into each, and out of it again.

import { expect } from "vitest";

import type { PaneId } from "../../src/names/gates.js";
import { type TestHome, until } from "../home.js";
import type { StandInApi } from "./api.js";
import type { RealClient } from "./client.js";
import { lookAt, type Seen, sees } from "./sees.js";

export interface Stage {
  home: TestHome;
  api: StandInApi;
  client: RealClient;
  pane: PaneId;
  /** For looks at it. */
  env: Record<string, string>;
}

export interface State {
  name: string;
  enter(stage: Stage): Promise<void>;
  leave(stage: Stage): Promise<void>;
}

const idle = ({ client }: Stage) => client.waitForStatus("idle").then(() => undefined);
const touch = { tool: "Bash", input: { command: "touch made", description: "Make it" } };
const sleep = { tool: "Bash", input: { command: "sleep 4", description: "Rest" } };
const question = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Blue", description: "b" },
    { label: "Red", description: "r" },
  ],
};

/** Chooses what the cursor is on. */
async function chooses({ client }: Stage): Promise<void> {
  await client.settled();
  client.keys("Enter");
}

export const states: readonly State[] = [
  { name: "idle", enter: idle, leave: idle },
  {
    name: "a text turn",
    async enter({ api, client }) {
      api.next({ text: "done", held: true });
      await client.submit("think");
      await client.waitForStatus("busy");
    },
    leave: ({ api }) => api.release(),
  },
  {
    // A call of `sleep` is allowed at its start.
    name: "a tool turn",
    async enter({ api, client }) {
      api.next(sleep);
      await client.submit("rest a little");
      await client.waitForStatus("busy");
    },
    leave: idle,
  },
  {
    name: "a permission dialog, then its tool",
    async enter({ api, client }) {
      api.next(touch);
      await client.submit("make it");
      await client.waitForScreen(/❯ 1\. Yes/);
    },
    leave: chooses,
  },
  {
    name: "a question",
    async enter({ api, client }) {
      api.next({ tool: "AskUserQuestion", input: { questions: [question] } });
      await client.submit("ask me");
      await client.waitForScreen(/Which colour/);
    },
    leave: chooses,
  },
  {
    name: "a draft in the box",
    async enter({ client }) {
      client.type("half a senten");
      await client.waitForScreen(/half a senten/);
    },
    async leave({ client }) {
      expect(client.screen().join("\n")).toMatch(/❯\u00a0half a senten\s*$/m);
      client.keys("C-u");
      await until("an empty box", () => !client.screen().join("\n").includes("half a senten"));
    },
  },
  {
    name: "a compaction",
    async enter({ client }) {
      await client.submit("/compact");
    },
    leave: idle,
  },
  {
    name: "a cleared conversation",
    async enter({ client }) {
      const before = client.registryFile()?.sessionId;
      await client.submit("/clear");
      await until("another session", () => client.registryFile()?.sessionId !== before);
    },
    leave: idle,
  },
];

const activityIs = ({ home, client, env }: Stage, activity: Seen["activity"]) =>
  sees(home, client, { activity }, env);

/** Only newer clients can park a conversation. In this order: a parked one stays in the background. */
export const parkedStates: readonly State[] = [
  {
    name: "parked, with the list of agents open",
    async enter(stage) {
      await stage.client.settled();
      stage.client.keys("Left");
      await stage.client.waitForScreen(/moved to the background/);
      await activityIs(stage, "parked");
    },
    async leave() {},
  },
  {
    name: "parked, and shown again",
    async enter(stage) {
      // The client swallows keys that are pressed while it draws.
      await until("the conversation in its pane", async () => {
        if ((await lookAt(stage.home, stage.client, stage.env)).activity !== "parked") return true;
        stage.client.keys("Escape");
        await stage.client.settled();
        return null;
      });
    },
    async leave(stage) {
      await activityIs(stage, "idle");
    },
  },
];
