// Reads the stores' rows with a separate grammar.

import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readText, type Stage, type StoreId } from "./stage.js";

const address = "[A-Za-z0-9_][A-Za-z0-9_-]{0,63}:\\d{1,5}\\.\\d{1,5}";
const role = "[A-Za-z][A-Za-z0-9._-]{0,39}";
const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const grammar: Readonly<Record<StoreId, RegExp>> = {
  S0: /^([a-z2-7]{10})(?:\|[^|]*){7}$/,
  S1: new RegExp(`^(${address})\\|(${role})(?:\\|(\\d{0,15}))?$`),
  S2: new RegExp(`^(${address})\\|(${uuid})$`),
  S3: /^([A-Za-z0-9_][A-Za-z0-9_-]{0,63})(?:\|([^|]*))?$/,
  S5: new RegExp(
    `^([^|]+Z)\\|((?:${address})?)\\|((?:${role})?)\\|((?:${uuid})?)\\|(live|stable|stale|broken|unknown)\\|((?:${uuid})?)$`,
  ),
  S8: /^(\d{1,15})\|([A-Za-z0-9_][A-Za-z0-9_-]{0,63})$/,
};
const queueRow = /^(\d+(?:\.\d+)?)\|(inform|remote-control:[^|]+)\|(.+)$/;

/** The fields of each row; of several with one key the last counts, as for every reader of a store. */
export function rowsOf(store: StoreId, text: string): string[][] {
  const byKey = new Map<string, string[]>();
  for (const line of linesOf(text)) {
    const fields = grammar[store].exec(line)?.slice(1);
    if (fields === undefined) continue;
    const key = canonical(fields[0]!);
    byKey.delete(key);
    byKey.set(key, [key, ...fields.slice(1).map((field) => field ?? "")]);
  }
  return [...byKey.values()];
}

/** Lines that are neither rows nor comments. */
export function unreadable(store: StoreId, text: string): string[] {
  return linesOf(text).filter((line) => !grammar[store].test(line));
}

export interface WaitingMessage {
  /** The agent or the pane of the queue. */
  owner: string;
  isDead: boolean;
  text: string;
}

export function waitingMessages(stage: Stage): WaitingMessage[] {
  return [...messagesIn(stage, queueFiles(stage), false), ...messagesIn(stage, deadFiles(stage), true)];
}

/** The plain files named after panes, which another program wrote. */
export function strangeQueues(stage: Stage): { pane: string; text: string }[] {
  return queueFiles(stage)
    .filter((name) => !isAgentQueue(name) && !isLink(join(queueFolder(stage), name)))
    .map((name) => ({ pane: paneOf(name), text: readText(join(queueFolder(stage), name)) }));
}

/** The target of a pane's queue link; null without a link. */
export function queueLink(stage: Stage, pane: string): string | null {
  const path = queuePath(stage, pane);
  return isLink(path) ? readlinkSync(path) : null;
}

export function isTeamName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(name);
}

export function teamOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":"));
}

/** Newest first: by the time in the name, then by the number that distinguishes files of one second. */
export function snapshotsOf({ home: { config } }: Stage): string[] {
  const form = /^hivemind\.snapshot\.(\d{8}T\d{6})(?:-(\d+))?\.env$/;
  return readdirSync(config)
    .flatMap((name) => {
      const [, time, count = "1"] = form.exec(name) ?? [];
      return time === undefined ? [] : [{ name, order: `${time}${count.padStart(6, "0")}` }];
    })
    .sort((a, b) => (a.order < b.order ? 1 : -1))
    .map(({ name }) => join(config, name));
}

export function queuePath(stage: Stage, pane: string): string {
  return join(stage.home.config, "hivemind.queue", `${pane.replaceAll(/[:.]/g, "_")}.queue`);
}

/** `red_0_1.queue` belongs to `red:0.1`. */
function paneOf(name: string): string {
  return name.replace(/_(\d+)_(\d+)\.queue$/, ":$1.$2");
}

function queueFolder({ home }: Stage): string {
  return join(home.config, "hivemind.queue");
}

function queueFiles(stage: Stage): string[] {
  return queuesIn(queueFolder(stage));
}

function deadFiles(stage: Stage): string[] {
  return queuesIn(join(queueFolder(stage), "dead")).map((name) => join("dead", name));
}

function isAgentQueue(name: string): boolean {
  return /^[a-z2-7]{10}\.queue$/.test(name);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function messagesIn(stage: Stage, names: readonly string[], isDead: boolean): WaitingMessage[] {
  return names
    .filter((name) => !isLink(join(queueFolder(stage), name)))
    .flatMap((name) =>
      linesOf(readText(join(queueFolder(stage), name))).flatMap((line) => {
        const [, , , text] = queueRow.exec(line) ?? [];
        const owner = isDead ? name.replace(/^dead\/(.+)-\d{8}T.*$/, "$1") : name.replace(/\.queue$/, "");
        return text === undefined ? [] : [{ owner, isDead, text }];
      }),
    );
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  return lines.filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
}

/** `red:00.1` is `red:0.1`. */
function canonical(key: string): string {
  return key.replace(/:(\d+)\.(\d+)$/, (_, window, pane) => `:${Number(window)}.${Number(pane)}`);
}

function queuesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".queue"));
  } catch {
    return [];
  }
}
