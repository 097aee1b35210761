// Finds, creates and ends screen's sessions. In this folder a session is always screen's own.
//
// - A session is found by its exact name, then used as `<pid>.<name>`: a bare name also matches a longer one.
// - A socket whose process is gone is not a session, and differs from "there is none".
// - A failed listing is not an empty one.

import { setTimeout as rest } from "node:timers/promises";
import { harmless } from "../base/text/escape-terminal.js";
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
  // Without any session it fails too; the text shows which case it is.
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

/** The one live session of exactly this name; null if there is none. */
export async function findSession(screen: Screen, name: string): Promise<ScreenSession | null> {
  const named = (await listSessions(screen)).filter((session) => session.name === name);
  const [first, second] = named.filter(({ state }) => state !== "dead");
  if (first === undefined) {
    if (named.length === 0) return null;
    throw new ScreenError("dead", `the screen session ${named.map(({ id }) => id).join(", ")} has died`);
  }
  if (second === undefined) return first;
  const ids = named.map(({ id }) => harmless(id));
  throw new ScreenError("several", `there are several screen sessions named "${name}": ${ids.join(", ")}`, {
    hint: `end all but one: screen -S ${ids[0]} -X quit`,
  });
}

/** Detached, and without the user's screenrc, which may open its own windows. */
export async function newSession(
  screen: Screen,
  { name, title, argv }: { name: string; title: string; argv: readonly string[] },
): Promise<ScreenSession> {
  const flags = ["-c", "/dev/null", "-U", "-T", "screen-256color"];
  await screen.run(...flags, "-dmS", name, "-t", title, ...argv);
  // screen returns before it can be queried, and may list the session as dead until then.
  const end = performance.now() + limits.screenTimeoutMs;
  for (;;) {
    let trouble = new ScreenError("failed", `screen -dmS ${name}: it ended immediately`);
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

/** Our queries draw no messages over the user's screen; a caption line shows the current window. */
export async function dressSession(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "msgwait", "0");
  await screen.run("-S", id, "-X", "msgminwait", "0");
  await screen.run("-S", id, "-X", "vbell", "off");
  await screen.run("-S", id, "-X", "caption", "always", "%{= kw} %n %t ");
}

export async function quitSession(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "quit");
}

/** Removes the sockets of a dead session. */
export async function wipe(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.ask("-wipe", id);
}

function stateOf(printed: string): ScreenSession["state"] {
  if (/attached/i.test(printed)) return "attached";
  return /dead|removed|unreachable/i.test(printed) ? "dead" : "detached";
}
