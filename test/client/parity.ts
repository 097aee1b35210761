// What is played to the demo agent and to the real client, step by step, and in what they may differ.

import { randomUUID } from "node:crypto";
import { until } from "../home.js";
import type { ClientVersion } from "./install.js";
import { type Actor, killed, lastWords, registryOf, type Stage, suggestion, transcriptsOf } from "./stage.js";

/** Who is on the stage, and the ids that were chosen for them. */
export interface Scene {
  stage: Stage;
  lead: Actor;
  fork: Actor;
  ids: { lead: string; child: string; branch: string };
  /** What is compared where nobody is looked at. */
  told: unknown;
}

export interface Step {
  name: string;
  /** Whom to look at afterwards; nobody where `play` says what is compared. */
  who: "lead" | "fork" | null;
  play(scene: Scene): Promise<unknown>;
}

const asking = ["--permission-mode", "default"];

export const steps: readonly Step[] = [
  {
    name: "started with an id and a name",
    who: "lead",
    play: async (scene) => {
      scene.lead = await scene.stage.start(["--session-id", scene.ids.lead, "-n", "lead", ...asking]);
    },
  },
  { name: "a first message", who: "lead", play: ({ stage, lead }) => say(stage, lead, "first") },
  { name: "a second message", who: "lead", play: ({ stage, lead }) => say(stage, lead, "second") },
  {
    name: "an answer that takes long",
    who: "lead",
    play: ({ stage, lead }) => hold(stage, lead, "[hold] it"),
  },
  {
    name: "a message while it works",
    who: "lead",
    play: async ({ stage, lead }) => {
      await lead.submit("queued");
      await until("it queued", () => records(stage).some(({ operation }) => operation === "enqueue"));
    },
  },
  {
    name: "both answered",
    who: "lead",
    play: async ({ stage, lead }) => {
      const before = answers(stage);
      await stage.release(lead);
      await until("two answers", () => answers(stage) === before + 2);
      await becomes(stage, lead, "idle");
    },
  },
  { name: "a tool to be approved", who: "lead", play: ({ stage, lead }) => ask(stage, lead) },
  { name: "approved", who: "lead", play: approve },
  { name: "another tool", who: "lead", play: ({ stage, lead }) => ask(stage, lead) },
  {
    name: "rejected",
    who: "lead",
    play: async ({ stage, lead }) => {
      lead.keys("Escape");
      await becomes(stage, lead, "idle");
    },
  },
  {
    name: "/rename",
    who: "lead",
    play: async ({ stage, lead }) => {
      await lead.submit("/rename boss");
      await until("the name", () => registryOf(stage, lead)?.name === "boss");
    },
  },
  {
    name: "a draft of two lines",
    who: "lead",
    play: async ({ lead, stage }) => {
      lead.type("first line\\");
      await shown(stage, lead, "first line\\");
      lead.keys("Enter");
      lead.type("second line");
      await shown(stage, lead, "second line");
    },
  },
  {
    name: "the draft taken back",
    who: "lead",
    play: async ({ stage, lead }) => {
      for (const line of ["second line", "first line"]) {
        await until(`${line} taken back`, () => {
          lead.keys("C-u");
          return !screen(stage, lead).includes(line);
        });
      }
    },
  },
  {
    name: "/branch with a name",
    who: "lead",
    play: async (scene) => {
      await moveOn(scene.stage, scene.lead, "/branch twig");
      scene.ids.branch = String(registryOf(scene.stage, scene.lead)?.sessionId);
    },
  },
  { name: "a word on the branch", who: "lead", play: ({ stage, lead }) => say(stage, lead, "branched") },
  {
    name: "/compact",
    who: "lead",
    play: async ({ stage, lead }) => {
      await lead.submit("/compact");
      await until("the summary", () => records(stage).some(({ isCompactSummary }) => isCompactSummary));
    },
  },
  { name: "a word after it", who: "lead", play: ({ stage, lead }) => say(stage, lead, "compacted") },
  { name: "/clear", who: "lead", play: ({ stage, lead }) => moveOn(stage, lead, "/clear") },
  {
    name: "/compact of next to nothing",
    who: "lead",
    play: async ({ stage, lead }) => {
      await lead.submit("/compact");
      await shown(stage, lead, "Not enough messages to compact");
    },
  },
  { name: "a word after /clear", who: "lead", play: ({ stage, lead }) => say(stage, lead, "cleared") },
  {
    name: "/exit",
    who: "lead",
    play: async ({ stage, lead }) => {
      await lead.submit("/exit");
      await until("its file to go", () => registryOf(stage, lead) === null);
    },
  },
  {
    name: "--session-id of a transcript",
    who: null,
    play: (scene) => refused(scene, ["--session-id", scene.ids.lead]),
  },
  {
    name: "--resume of nothing",
    who: null,
    play: (scene) => refused(scene, ["--resume", "00000000-0000-4000-8000-000000000000"]),
  },
  { name: "--session-id that is none", who: null, play: (scene) => refused(scene, ["--session-id", "lead"]) },
  {
    name: "--session-id beside --resume",
    who: null,
    play: (scene) => refused(scene, ["--resume", scene.ids.lead, "--session-id", scene.ids.child]),
  },
  {
    name: "resumed",
    who: "lead",
    play: async (scene) => {
      scene.lead = await scene.stage.start(["--resume", scene.ids.lead, ...asking]);
    },
  },
  { name: "a word after it was resumed", who: "lead", play: ({ stage, lead }) => say(stage, lead, "again") },
  {
    name: "a fork with an id, silent",
    who: "fork",
    play: async (scene) => {
      const { lead, child } = scene.ids;
      scene.fork = await scene.stage.start(["--resume", lead, "--fork-session", "--session-id", child]);
    },
  },
  { name: "a word of the fork", who: "fork", play: ({ stage, fork }) => say(stage, fork, "mine") },
  { name: "the forked one meanwhile", who: "lead", play: async () => {} },
  { name: "kill -9", who: "fork", play: ({ fork }) => killed(fork) },
  {
    name: "a fork without an id, silent",
    who: "fork",
    play: async (scene) => {
      scene.fork = await scene.stage.start(["--resume", scene.ids.lead, "--fork-session"]);
    },
  },
  { name: "a word of that fork", who: "fork", play: ({ stage, fork }) => say(stage, fork, "other") },
  { name: "a branch without a name", who: "fork", play: ({ stage, fork }) => moveOn(stage, fork, "/branch") },
  {
    name: "a fork of a compacted branch, nobody else there",
    who: "fork",
    play: async (scene) => {
      await Promise.all([killed(scene.fork), killed(scene.lead)]);
      scene.fork = await scene.stage.start(["--resume", scene.ids.branch, "--fork-session"]);
    },
  },
  { name: "a word of that one", who: "fork", play: ({ stage, fork }) => say(stage, fork, "third") },
  {
    name: "--print while it answers",
    who: null,
    play: async (scene) => {
      const { stage } = scene;
      const actor = await stage.open(["-p", "[hold] printed"]);
      await until("its file", () => registryOf(stage, actor) !== null);
      await until("its question", () => records(stage).some((each) => contentOf(each) === "[hold] printed"));
      const { kind, entrypoint, status, nameSource } = registryOf(stage, actor)!;
      await stage.release(actor);
      const { code, words } = await lastWords(stage, actor);
      const isGone = registryOf(stage, actor) === null;
      scene.told = { kind, entrypoint, status, nameSource, code, hasWords: words !== "", isGone };
    },
  },
  {
    name: "started with nothing",
    who: "fork",
    play: async (scene) => {
      await killed(scene.fork);
      scene.fork = await scene.stage.start([], { suggests: true });
    },
  },
  { name: "a word of it", who: "fork", play: ({ stage, fork }) => say(stage, fork, "hello") },
  {
    name: "two more, and it suggests the next",
    who: "fork",
    play: async ({ stage, fork }) => {
      for (const word of ["one", "two"]) await say(stage, fork, word);
      await shown(stage, fork, suggestion);
    },
  },
  {
    name: "started and renamed before a word",
    who: "fork",
    play: async (scene) => {
      const { stage } = scene;
      await killed(scene.fork);
      scene.fork = await stage.start([]);
      await scene.fork.submit("/rename scribe");
      await until("the name", () => registryOf(stage, scene.fork)?.name === "scribe");
    },
  },
  { name: "its first word", who: "fork", play: ({ stage, fork }) => say(stage, fork, "hi") },
  { name: "a turn that fails", who: "fork", play: ({ stage, fork }) => fail(stage, fork, "[error] it") },
  {
    name: "a limit that is hit",
    who: "fork",
    play: async (scene) => {
      const { stage } = scene;
      await killed(scene.fork);
      scene.fork = await stage.start(asking, { hasPlan: true });
      await fail(stage, scene.fork, "[limit] it");
      // The older client asks what to do, the newer one would go on by itself.
      await shown(stage, scene.fork, "limit");
      scene.fork.keys("Escape");
      await becomes(stage, scene.fork, "idle");
    },
  },
];

export function newScene(stage: Stage): Scene {
  const nobody = null as unknown as Actor;
  const ids = { lead: randomUUID(), child: randomUUID(), branch: "" };
  return { stage, lead: nobody, fork: nobody, ids, told: null };
}

/** A fact in which the demo agent is not like the client, and why that may be. */
export interface Difference {
  version?: ClientVersion;
  /** Steps it is seen at; every one must show it, unless it comes and goes by itself. */
  steps: readonly string[];
  /** As in the list of what differs: `screen.title`. */
  fact: string;
  comesAndGoes?: true;
  why: string;
}

export const differences: readonly Difference[] = [
  {
    version: "2.1.197",
    steps: ["/exit"],
    fact: "written.session 3",
    comesAndGoes: true,
    why: "the client notes the command down, if it has the time before it ends",
  },
  {
    steps: ["started with nothing"],
    fact: "screen.boxText",
    why: "before the first word the client suggests an example, drawn by lot",
  },
  {
    steps: ["a word of it"],
    fact: "screen.box",
    why: "the client suggests nothing before its second answer; the demo agent whenever it is told to and its box is empty",
  },
  { steps: ["a word of it"], fact: "screen.boxText", why: "the same" },
];

/** Answers and errors are held until the question is on disk: a quick one may be written before it. */
export async function say(stage: Stage, actor: Actor, text: string): Promise<void> {
  const before = answers(stage);
  await hold(stage, actor, `[hold] ${text}`);
  await stage.release(actor);
  await until(`an answer to ${text}`, () => answers(stage) > before);
  await becomes(stage, actor, "idle");
}

async function fail(stage: Stage, actor: Actor, text: string): Promise<void> {
  const failures = () => records(stage).filter(({ isApiErrorMessage }) => isApiErrorMessage === true).length;
  const before = failures();
  await actor.submit(text);
  await until(`${text} on disk`, () => records(stage).some((record) => contentOf(record) === text));
  await stage.letFail();
  await until(`${text} failed`, () => failures() > before);
}

export async function hold(stage: Stage, actor: Actor, text: string): Promise<void> {
  await actor.submit(text);
  await until(`${text} on disk`, () => records(stage).some((record) => contentOf(record) === text));
  await becomes(stage, actor, "busy");
}

/** Says yes to what `ask` led to. */
export async function approve({ stage, lead }: Scene): Promise<void> {
  const before = answers(stage);
  lead.keys("1");
  await until("the answer", () => answers(stage) > before);
  await becomes(stage, lead, "idle");
}

export async function ask(stage: Stage, actor: Actor): Promise<void> {
  await actor.submit("[ask] please");
  await becomes(stage, actor, "waiting");
  await shown(stage, actor, "Do you want to proceed?");
}

export async function moveOn(stage: Stage, actor: Actor, command: string): Promise<void> {
  const before = registryOf(stage, actor)?.sessionId;
  await actor.submit(command);
  await until("another session", () => {
    const now = registryOf(stage, actor)?.sessionId;
    return now !== undefined && now !== before;
  });
}

async function refused(scene: Scene, args: readonly string[]): Promise<void> {
  const { code, words } = await lastWords(scene.stage, await scene.stage.open(args));
  scene.told = { code, words: words.replaceAll(scene.ids.lead, "<lead>") };
}

export function becomes(stage: Stage, actor: Actor, status: string): Promise<unknown> {
  return until(`status ${status}`, () => registryOf(stage, actor)?.status === status);
}

export function shown(stage: Stage, actor: Actor, text: string): Promise<unknown> {
  return until(`${text} on the screen`, () => screen(stage, actor).includes(text));
}

function screen({ home }: Stage, { pane }: Actor): string {
  return home.tmux("capture-pane", "-p", "-t", pane);
}

export function records(stage: Stage) {
  return [...transcriptsOf(stage).values()].flat();
}

/** Copies keep their message, so each answer is counted once. */
export function answers(stage: Stage): number {
  const ended = records(stage).filter(
    ({ message }) => (message as { stop_reason?: string })?.stop_reason === "end_turn",
  );
  return new Set(ended.map(({ uuid }) => uuid)).size;
}

function contentOf({ message }: Record<string, unknown>): unknown {
  return (message as { content?: unknown } | undefined)?.content;
}
