// Windows of a screen session: listed, made, named, selected, ended.
//
// [GSW1] A window is meant by its number, and what is shown is asked for, never assumed: screen answers "done" to every
//       command that it merely took in.
// [GSW2] An answer without the mark of its question is not believed: it may be that of somebody who asked just then.
// [GSW3] What screen tells is cut at the width of the terminal that looks at it: a long title may come short.

import { randomBytes } from "node:crypto";
import { setTimeout as rest } from "node:timers/promises";
import { limits } from "../limits.js";
import { ScreenError } from "./error.js";
import { argument } from "./quote.js";
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

/** What the terminal shows that looks at it; without one, what the next would be shown. */
export async function shownWindow(screen: Screen, id: ScreenSessionId): Promise<number> {
  const { printed, mark } = await question(screen, id, (mark) => ["echo", "-p", `${mark}n%n`]);
  const number = new RegExp(`${mark}n(\\d+)`).exec(printed)?.[1];
  if (number === undefined) throw unreadable();
  return Number(number);
}

/** Asks until the answer carries the mark of its question; a title is anybody's text, and cannot know it. */
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
  return new ScreenError("failed", "screen -Q: an answer that cannot be read");
}

export interface WindowStart {
  number: number;
  title: string;
  argv: readonly string[];
}

/** At another number where that one is taken: whoever needs to know asks for it. */
export async function newWindow(
  screen: Screen,
  id: ScreenSessionId,
  { number, title, argv }: WindowStart,
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

/** Only a terminal that looks at the session can be shown another window. */
export async function selectWindow(screen: Screen, id: ScreenSessionId, number: number): Promise<void> {
  await screen.run("-S", id, "-X", "select", String(number));
}

/** The window that is shown takes the size of the terminal. */
export async function fitWindow(screen: Screen, id: ScreenSessionId): Promise<void> {
  await screen.run("-S", id, "-X", "fit");
}
