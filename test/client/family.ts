// A family of conversations in real clients: how a person makes one, and what hivemind finds of it.

import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { edgesOf, readRecord } from "../../src/fleet/lineage/lineage-of.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { SessionId } from "../../src/names/gates.js";
import type { LineageEdge } from "../../src/transcripts/lineage/lineage.js";
import { type TestHome, until } from "../home.js";
import type { RealClient } from "./client.js";
import type { ClientVersion } from "./install.js";
import { type ClientWorld, testWorld } from "./world.js";

export const newId = () => randomUUID() as string as SessionId;

/** The stores lie outside the home, in which nobody but a client may write. */
export function envOf({ root, env }: TestHome): Record<string, string> {
  return { ...env, HIVEMIND_CONFIG_DIR: join(root, "config") };
}

export function hiveOf(home: TestHome): Hive {
  return openHive({ env: envOf(home) });
}

/** What hivemind finds, as a command would: the panes, the transcripts, the hooks and the record of forks. */
export async function edges(home: TestHome): Promise<LineageEdge[]> {
  const hive = hiveOf(home);
  const fleet = await hive.observe();
  const recorded = readRecord(hive.stores.forks.scan());
  return edgesOf(fleet, await hive.parentsByMessages(fleet), recorded, fleet.hooks.lineage);
}

export function sessionOf(client: RealClient): SessionId {
  return client.registryFile()!.sessionId!;
}

/** Held until the question is on disk: a quick answer may be written before it. */
export async function ask({ api }: ClientWorld, client: RealClient, text: string): Promise<void> {
  await client.settled();
  const id = sessionOf(client);
  api.when(new RegExp(`\\b${text}$`), { text: `answer to ${text}`, held: true });
  await client.submit(text);
  await until(`${text} on disk`, () => has(client, id, `"${text}"`));
  await until(`${text} asked`, () => api.requests.some(({ lastText }) => lastText.endsWith(text))).catch(
    ({ message }) => {
      const heard = api.requests.slice(-3).map(({ lastText }) => lastText.slice(-200));
      throw new Error([message, ...heard, ...client.screen()].join("\n"));
    },
  );
  await api.release();
  await client.waitForScreen(new RegExp(`answer to ${text}`));
  await client.waitForStatus("idle");
}

export async function say(world: ClientWorld, client: RealClient, text: string): Promise<void> {
  await ask(world, client, text);
  const id = sessionOf(client);
  await until(`the answer to ${text} on disk`, () => has(client, id, `answer to ${text}`));
}

function has(client: RealClient, id: SessionId, text: string): boolean {
  return client.transcript(id).some(({ message }) => JSON.stringify(message ?? "").includes(text));
}

/** A command that takes the client to another session. */
export async function moveOn(client: RealClient, command: string): Promise<SessionId> {
  const from = sessionOf(client);
  await client.settled();
  await client.submit(command);
  const next = await until(`another session after ${command}`, () => {
    const now = client.registryFile()?.sessionId;
    return now !== undefined && now !== from ? now : null;
  });
  await client.settled();
  return next;
}

export function removeTranscript({ claude }: TestHome, id: SessionId): void {
  const projects = join(claude, "projects");
  for (const slug of readdirSync(projects)) rmSync(join(projects, slug, `${id}.jsonl`), { force: true });
}

export interface Family {
  world: ClientWorld;
  home: TestHome;
  begin(...args: string[]): Promise<RealClient>;
  fork(parent: SessionId, ...args: string[]): Promise<RealClient>;
  say(client: RealClient, word: string): Promise<void>;
}

export async function familyOf(version: ClientVersion): Promise<Family> {
  const world = await testWorld();
  const begin = (...args: string[]) => world.start(version, { args, team: `team-${newId()}` });
  return {
    world,
    home: world.home,
    begin,
    fork: (parent, ...args) => begin("--resume", parent, "--fork-session", ...args),
    say: (client, word) => say(world, client, word),
  };
}

/** `fork of P for certain`: by child, in the given order. Sessions that nobody named are not told. */
export async function told(
  home: TestHome,
  names: Record<string, SessionId>,
): Promise<Record<string, string>> {
  const found = new Map((await edges(home)).map((edge) => [edge.child, edge]));
  const nameOf = new Map(Object.entries(names).map(([name, id]) => [id, name]));
  return Object.fromEntries(
    Object.entries(names).map(([name, id]) => {
      const edge = found.get(id);
      if (edge === undefined) return [name, "unknown"];
      return [name, `${edge.kind} of ${nameOf.get(edge.parent) ?? edge.parent}${edge.inferred ? "?" : ""}`];
    }),
  );
}
