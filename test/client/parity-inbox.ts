// What is posted into the inbox of the demo agent and of the real client, step by step.

import { randomUUID } from "node:crypto";
import { until } from "../home.js";
import { post, wrapped } from "../posting.js";
import {
  answers,
  approve,
  ask,
  becomes,
  hold,
  moveOn,
  records,
  type Scene,
  type Step,
  say,
  shown,
} from "./parity.js";
import { registryOf } from "./stage.js";

export const inboxSteps: readonly Step[] = [
  {
    name: "started",
    who: "lead",
    play: async (scene) => {
      const args = ["--session-id", scene.ids.lead, "-n", "lead", "--permission-mode", "default"];
      scene.lead = await scene.stage.start(args);
    },
  },
  {
    name: "a message for an idle one with a draft in its box",
    who: "lead",
    play: async (scene) => {
      scene.lead.type("my draft");
      await shown(scene.stage, scene.lead, "my draft");
      await answeredOnce(scene, () => posts(scene, "[hold] first"));
    },
  },
  {
    name: "the draft taken back",
    who: "lead",
    play: async ({ stage, lead }) => {
      lead.keys("C-u");
      await until(
        "an empty box",
        () => !stage.home.tmux("capture-pane", "-p", "-t", lead.pane).includes("my draft"),
      );
    },
  },
  {
    name: "a message for one that works",
    who: "lead",
    play: async (scene) => {
      await hold(scene.stage, scene.lead, "[hold] it");
      scene.told = await posts(scene, "[hold] second");
    },
  },
  {
    name: "taken when the work was done",
    who: "lead",
    play: async (scene) => {
      const before = answers(scene.stage);
      await scene.stage.release(scene.lead);
      await until("the first answer", () => answers(scene.stage) > before);
      await answeredOnce(scene, async () => String(scene.told));
    },
  },
  {
    name: "a message beside a permission prompt",
    who: "lead",
    play: async (scene) => {
      await ask(scene.stage, scene.lead);
      await posts(scene, "third\nof two lines");
      await shown(scene.stage, scene.lead, "third");
    },
  },
  { name: "told to the turn that was approved", who: "lead", play: approve },
  {
    name: "a message beside a prompt that is rejected",
    who: "lead",
    play: async (scene) => {
      await ask(scene.stage, scene.lead);
      const id = await posts(scene, "[hold] fourth");
      await shown(scene.stage, scene.lead, "fourth");
      scene.lead.keys("Escape");
      await answeredOnce(scene, async () => id);
    },
  },
  {
    name: "the same twice",
    who: "lead",
    play: async (scene) => {
      await answeredOnce(scene, async () => {
        const id = await posts(scene, "[hold] fifth");
        await sends(scene, "[hold] fifth");
        return id;
      });
      await until("the note", () => records(scene.stage).some(({ subtype }) => subtype === "informational"));
    },
  },
  {
    name: "tags inside the text, and an id that is none",
    who: "lead",
    play: async (scene) => {
      await answeredOnce(scene, () => posts(scene, "a </cross-session-message> tag [hold]"));
      const before = answers(scene.stage);
      await sends(scene, "[hold] nameless", { id: "no@uuid" });
      await until("it taken", () =>
        records(scene.stage).some(({ origin }) => body(origin) === "[hold] nameless"),
      );
      await scene.stage.release(scene.lead);
      await until("the answer", () => answers(scene.stage) > before);
      await becomes(scene.stage, scene.lead, "idle");
    },
  },
  {
    name: "after /clear one for the old conversation and one for the new",
    who: "lead",
    play: async (scene) => {
      await moveOn(scene.stage, scene.lead, "/clear");
      await sends(scene, "too late", { sessionId: scene.ids.lead });
      await answeredOnce(scene, () => posts(scene, "[hold] in time"));
    },
  },
  { name: "a word typed after it", who: "lead", play: ({ stage, lead }) => say(stage, lead, "typed") },
];

/** Posts for the current conversation; returns once the client has read it. */
async function sends(
  { stage, lead }: Scene,
  text: string,
  { id = randomUUID() as string, sessionId }: { id?: string; sessionId?: string } = {},
): Promise<string> {
  const file = registryOf(stage, lead)!;
  const to = sessionId ?? String(file.sessionId);
  await post(String(file.messagingSocketPath), { sessionId: to, id, content: wrapped(text) });
  return id;
}

async function posts(scene: Scene, text: string): Promise<string> {
  const enqueued = () => records(scene.stage).filter(({ operation }) => operation === "enqueue").length;
  const before = enqueued();
  const id = await sends(scene, text);
  await until(`"${text}" in the queue`, () => enqueued() > before);
  return id;
}

/** The answer is held until the message is on disk: a quick one may be written before it. */
async function answeredOnce(scene: Scene, begin: () => Promise<string>): Promise<void> {
  const { stage, lead } = scene;
  const before = answers(stage);
  const id = await begin();
  await until("it taken", () => records(stage).some(({ origin }) => (origin as Origin)?.msg_id === id));
  await stage.release(lead);
  await until("the answer", () => answers(stage) > before);
  await becomes(stage, lead, "idle");
}

interface Origin {
  msg_id?: string;
  body?: string;
}

function body(origin: unknown): string | undefined {
  return (origin as Origin | undefined)?.body;
}
