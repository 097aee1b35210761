// Lists, creates, names, selects and ends windows of a screen session.
//
// - A window is identified by its number. The shown window is queried, never assumed: screen reports success for
//   every command that it merely accepted.
// - An answer without the mark of its query is ignored: it may answer another process.
// - Nothing in a title is expanded: neither `$VARIABLE` nor `^A` nor `\033`, which screen would replace.
// - screen cuts its answers at the width of the attached terminal, so a long title may come shortened.

import { randomBytes } from "node:crypto";
import { setTimeout as rest } from "node:timers/promises";
import { limits } from "../limits.js";
import { ScreenError } from "./error.js";
import type { Screen } from "./screen.js";
import type { ScreenSessionId } from "./session.js";

export interface ScreenWindow {
  number: number;
  title: string;
}

export async function listWindows(screen: Screen, id: ScreenSessionId): Promise<ScreenWindow[]> {
  const { printed, mark } = await question(screen, id, (mark) => ["windows", `;${mark}%n|%t`]);
  return parseWindows(printed, mark);
}

export function parseWindows(printed: string, mark: string): ScreenWindow[] {
  const [, ...entries] = printed.split(`;${mark}`);
  return entries.map((entry) => {
    const [, number, title] = /^(\d+)\|?(.*)$/s.exec(entry) ?? [];
    if (number === undefined) throw unreadable();
    return { number: Number(number), title: title! };
  });
}

/** The window that the attached terminal shows; without one, the window that the next would show. */
export async function shownWindow(screen: Screen, id: ScreenSessionId): Promise<number> {
  const { printed, mark } = await question(screen, id, (mark) => ["echo", "-p", `${mark}n%n`]);
  const number = new RegExp(`${mark}n(\\d+)`).exec(printed)?.[1];
  if (number === undefined) throw unreadable();
  return Number(number);
}

/** Repeats the query until the answer has its mark. A title is foreign text and cannot contain it. */
async function question(
  screen: Screen,
  id: ScreenSessionId,
  words: (mark: string) => string[],
): Promise<{ printed: string; mark: string }> {
  const end = performance.now() + limits.screenTimeoutMs;
  for (;;) {
    const mark = randomBytes(3).toString("hex");
    const { printed, failure } = await screen.ask("-S", id, "-Q", ...words(mark));
    if (failure === null && printed.includes(mark)) return { printed, mark };
    const isOthersTurn = /already a screen running on \S+-query/.test(printed);
    if (failure !== null && !isOthersTurn) throw failure;
    if (performance.now() > end) throw unreadable();
    await rest(limits.screenPollMs * (1 + Math.random()));
  }
}

function unreadable(): ScreenError {
  return new ScreenError("failed", "screen -Q: unreadable answer");
}

/** Uses another number if that one is taken; list the windows to learn it. */
export async function newWindow(
  screen: Screen,
  id: ScreenSessionId,
  { number, title, argv }: ScreenWindow & { argv: readonly string[] },
): Promise<void> {
  const words = ["-t", title, String(number), ...argv].map(argument);
  await screen.run("-S", id, "-X", "screen", ...words);
}

export async function setTitle(
  screen: Screen,
  id: ScreenSessionId,
  number: number,
  title: string,
): Promise<void> {
  await screen.run("-S", id, "-p", String(number), "-X", "title", argument(title));
}

export async function killWindow(screen: Screen, id: ScreenSessionId, number: number): Promise<void> {
  await screen.run("-S", id, "-p", String(number), "-X", "kill");
}

/** Works only while a terminal is attached to the session. */
export async function selectWindow(screen: Screen, id: ScreenSessionId, number: number): Promise<void> {
  await screen.run("-S", id, "-X", "select", String(number));
}

/** Gives the shown window the size of the terminal. */
export async function fitWindow(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "fit");
}

/** For every argument of a screen command. `%` is special only in the strings of screen's status lines. */
export function argument(text: string): string {
  return text.replace(/[\\^$]/g, "\\$&");
}
