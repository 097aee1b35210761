// screen's sessions: found by their whole name, begun, ended. In this folder a session is always screen's own.
//
// [GSS1] A session is found by its exact name, and from then on meant by `<pid>.<name>`: a bare name would also match a
//       longer one.
// [GSS2] A socket whose process is gone is no session, and is told apart from "there is none".
// [GSS3] A list that could not be made is not an empty one.

import { setTimeout as rest } from "node:timers/promises";
import { harmless } from "../base/harmless.js";
import { limits } from "../limits.js";
import { ScreenError } from "./error.js";
import type { Screen } from "./screen.js";

/** The full name, `4711.tronMon`. */
export type ScreenSessionId = `${number}.${string}`;

export interface ScreenSession {
  id: ScreenSessionId;
  pid: number;
  name: string;
  state: "attached" | "detached" | "dead";
}

export async function listSessions(screen: Screen): Promise<ScreenSession[]> {
  const { printed, failure } = await screen.ask("-ls");
  // Without a session it fails too, and says which it is.
  const isList = /^(?:No Sockets found|There (?:is a screen|are screens) on)/m.test(printed);
  if (failure !== null && !isList) throw failure;
  return parseSessions(printed);
}

export function parseSessions(printed: string): ScreenSession[] {
  const rows = [...printed.matchAll(/^\t(\d+)\.([^\t]+)\t.*\(([^()]*)\)$/gm)];
  return rows.map(([, pid, name, state]) => ({
    id: `${Number(pid)}.${name!}` as const,
    pid: Number(pid),
    name: name!,
    state: stateOf(state!),
  }));
}

/** The one live session of exactly this name; null without one. */
export async function findSession(screen: Screen, name: string): Promise<ScreenSession | null> {
  const named = (await listSessions(screen)).filter((session) => session.name === name);
  const [first, second] = named.filter(({ state }) => state !== "dead");
  if (first === undefined) {
    if (named.length === 0) return null;
    throw new ScreenError("dead", `the screen session ${named.map(({ id }) => id).join(", ")} has died`);
  }
  if (second === undefined) return first;
  const ids = named.map(({ id }) => harmless(id));
  throw new ScreenError("several", `there are several screen sessions "${name}": ${ids.join(", ")}`, {
    hint: `end all but one: screen -S ${ids[0]} -X quit`,
  });
}

export interface SessionStart {
  name: string;
  title: string;
  argv: readonly string[];
}

/** Detached, and without anybody's screenrc, which may open windows of its own. */
export async function newSession(
  screen: Screen,
  { name, title, argv }: SessionStart,
): Promise<ScreenSession> {
  const flags = ["-c", "/dev/null", "-U", "-T", "screen-256color"];
  await screen.run(...flags, "-dmS", name, "-t", title, ...argv);
  // screen says that it has begun before it can be asked, and may call it dead until it can.
  const end = performance.now() + limits.screenTimeoutMs;
  for (;;) {
    let trouble = new ScreenError("failed", `screen -dmS ${name}: it ended as soon as it began`);
    try {
      const session = await findSession(screen, name);
      if (session !== null) return session;
    } catch (error) {
      if (!(error instanceof ScreenError && error.reason === "dead")) throw error;
      trouble = error;
    }
    if (performance.now() > end) throw trouble;
    await rest(limits.screenPollMs);
  }
}

/** What we ask is not drawn over what a person looks at; a line of its own tells which window that is. */
export async function dressSession(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "msgwait", "0");
  await screen.run("-S", id, "-X", "msgminwait", "0");
  await screen.run("-S", id, "-X", "vbell", "off");
  await screen.run("-S", id, "-X", "caption", "always", "%{= kw} %n %t ");
}

export async function quitSession(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "quit");
}

/** The sockets of sessions that died. */
export async function wipe(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.ask("-wipe", id);
}

function stateOf(told: string): ScreenSession["state"] {
  if (/attached/i.test(told)) return "attached";
  return /dead|removed|unreachable/i.test(told) ? "dead" : "detached";
}
