// The stores' rows, read by a grammar of the chaos' own.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText, type Stage, type StoreId } from "./stage.js";

const address = "[A-Za-z0-9_][A-Za-z0-9_-]{0,63}:\\d{1,5}\\.\\d{1,5}";
const role = "[A-Za-z][A-Za-z0-9._-]{0,39}";
const uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const grammar: Readonly<Record<StoreId, RegExp>> = {
  S1: new RegExp(`^(${address})\\|(${role})(?:\\|(\\d{0,15}))?$`),
  S2: new RegExp(`^(${address})\\|(${uuid})$`),
  S3: /^([A-Za-z0-9_][A-Za-z0-9_-]{0,63})(?:\|([^|]*))?$/,
  S5: new RegExp(
    `^([^|]+Z)\\|((?:${address})?)\\|((?:${role})?)\\|((?:${uuid})?)\\|(live|stable|stale|broken|unknown)\\|((?:${uuid})?)$`,
  ),
  S8: /^(\d{1,15})\|([A-Za-z0-9_][A-Za-z0-9_-]{0,63})$/,
};
const queueRow = /^(\d+(?:\.\d+)?)\|(inform|remote-control:[^|]+)\|(.+)$/;

/** The fields of each row, of several with one key the last, as everybody who reads a store takes it. */
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
  /** The pane whose queue has it; null when it lies in dead/. */
  pane: string | null;
  /** `%5 1234@1794770000`: the pane it is for and that one's server, as far as its receipts tell. */
  owner: string | null;
  seconds: number;
  text: string;
}

export function waitingMessages(stage: Stage): WaitingMessage[] {
  const dead = join(stage.home.config, "hivemind.queue", "dead");
  const owners = ownersOf(stage);
  return [
    ...queueFiles(stage).flatMap(({ pane, text }) => messagesIn(text, pane, owners)),
    ...queuesIn(dead).flatMap((name) => messagesIn(readText(join(dead, name)), null, owners)),
  ];
}

export function queueFiles(stage: Stage): { pane: string; text: string }[] {
  const folder = join(stage.home.config, "hivemind.queue");
  return queuesIn(folder).map((name) => ({ pane: paneOf(name), text: readText(join(folder, name)) }));
}

/** Newest first: by the time in the name, then by the number that tells files of one second apart. */
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

/** `red_0_1.queue` is of `red:0.1`. */
function paneOf(name: string): string {
  return name.replace(/_(\d+)_(\d+)\.queue$/, ":$1.$2");
}

function messagesIn(
  queue: string,
  pane: string | null,
  owners: ReadonlyMap<string, string>,
): WaitingMessage[] {
  return linesOf(queue).flatMap((line) => {
    const [, stamp, , text] = queueRow.exec(line) ?? [];
    if (text === undefined) return [];
    return [
      { pane, owner: owners.get(`${pane}@${stamp}`) ?? null, seconds: Number.parseInt(stamp!, 10), text },
    ];
  });
}

/** By message: when it was queued, or moved, its receipts say for which pane. */
function ownersOf({ home }: Stage): ReadonlyMap<string, string> {
  const path = join(home.config, "hivemind.receipts.log");
  const rows = linesOf(readText(`${path}.1`) + readText(path)).map((line) => line.split("|"));
  const owners = new Map<string, string>();
  for (const [, id, , step, detail] of rows) if (step === "queued" && detail) owners.set(id!, detail);
  for (const [, id, , step, detail = ""] of rows) {
    if (step !== "moved") continue;
    const [to, ...named] = detail.split(" ");
    const owner = named.length > 0 ? named.join(" ") : owners.get(id!);
    if (owner === undefined) continue;
    owners.set(id!, owner);
    owners.set(to!, owner);
  }
  return owners;
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
