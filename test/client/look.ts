// What can be seen of an agent from outside, in words that are the same in every run: ids by name, paths by role.

import { realpathSync } from "node:fs";
import type { Box } from "../../src/agents/box.js";
import { readBox } from "../../src/agents/claude/screen/input-box.js";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { openHive } from "../../src/hive/hive.js";
import { until } from "../home.js";
import { isWorking } from "../working.js";
import { type Actor, type Json, registryOf, type Stage, transcriptsOf } from "./stage.js";

export interface Look {
  /** The client's own file about the process, by its fields. */
  registry: Json | null;
  /** Records that were not there at the look before, by transcript. */
  written: Record<string, string[]>;
  screen: {
    title: string;
    box: Box["kind"] | null;
    boxText: string | null;
    isWorking: boolean;
    /** What its bottom says of a failure, with the mark that stands before it. */
    trouble: string | null;
    /** The last row of a message that another program posted. */
    posted: string | null;
  };
  /** What hivemind makes of it all. */
  pane: Json;
  facts: Json | null;
}

/** Looks until two looks in a row agree; what was written counts from the look before. */
export function lookerAt(stage: Stage): (actor: Actor) => Promise<Look> {
  const { home } = stage;
  const names = new Map<string, string>();
  const nameOf = (id: unknown): string | null => {
    if (typeof id !== "string") return null;
    if (!names.has(id)) names.set(id, `session ${names.size + 1}`);
    return names.get(id)!;
  };
  const work = realpathSync(home.work);
  const role = (path: unknown) => (path === work ? "<work>" : path);
  const starts = new Map<number, string | undefined>();
  const seenRecords = new Map<string, number>();

  async function look(actor: Actor): Promise<Look> {
    const fleet = await openHive({ env: home.env }).observe();
    const pane = fleet.panes.find(({ id }) => id === actor.pane)!;
    const found = fleet.sessions.get(actor.pane)!;
    const screen = home.tmux("capture-pane", "-e", "-p", "-t", actor.pane).replace(/\n$/, "").split("\n");
    const box = readBox(screen);
    const file = registryOf(stage, actor);
    // Remembered: of one that was killed tmux may have collected the process by now.
    if (!starts.has(actor.pid)) starts.set(actor.pid, readProcStat(actor.pid)?.startTicks);
    const registry =
      file && registryWords(file, { pid: actor.pid, start: starts.get(actor.pid) }, nameOf, role);
    const facts = found.uuid === null ? undefined : fleet.index.byId.get(found.uuid)?.[0]?.facts;
    return {
      registry,
      written: writtenSince(seenRecords, transcriptsOf(stage), nameOf),
      screen: {
        title: title(pane.title),
        box: pane.dead ? null : box.kind,
        boxText: pane.dead ? null : "text" in box ? box.text : "question" in box ? box.question : null,
        isWorking: isWorking(screen),
        trouble: troubleOn(screen),
        posted: postedOn(screen),
      },
      pane: {
        isAgent: pane.process?.pid === actor.pid,
        isDead: pane.dead,
        session: nameOf(found.uuid),
        state: found.state,
        title: plain(found.title),
        source: found.evidence.find(({ chosen }) => chosen)?.source ?? null,
        liveName: plain(pane.live?.name),
        isNameSuffixed: pane.live?.isNameSuffixed ?? null,
        activity: pane.live?.activity ?? null,
        waitingFor: pane.live?.waitingFor ?? null,
        began: nameOf(pane.arguments?.began),
        forkedFrom: nameOf(pane.arguments?.forkedFrom),
      },
      facts:
        facts === undefined
          ? null
          : {
              title: plain(facts.title),
              firstCwd: role(facts.firstCwd),
              lastCwd: role(facts.lastCwd),
              messages: facts.messages,
              beginsWithClear: facts.beginsWithClear,
              forkedFrom: nameOf(facts.forkedFrom?.sessionId),
              startedAs: nameOf(facts.startedAs),
              hasUsage: facts.usedTokens !== null,
              hasModel: facts.model !== null,
            },
    };
  }

  return async (actor) => {
    let before = "";
    const seen = await until(
      "two looks that agree",
      async () => {
        const now = await look(actor);
        const isSame = JSON.stringify(now) === before;
        before = JSON.stringify(now);
        if (!isSame) await new Promise((rest) => setTimeout(rest, 400));
        return isSame ? now : null;
      },
      30_000,
    );
    for (const [id, records] of transcriptsOf(stage)) seenRecords.set(id, records.length);
    return seen;
  };
}

function postedOn(screen: readonly string[]): string | null {
  return plainRows(screen).findLast((row) => row.startsWith("› Message from")) ?? null;
}

function plainRows(screen: readonly string[]): string[] {
  return screen.map((row) => row.replace(/\u001b\[[0-9;]*m/g, "").trim());
}

/** The last line of trouble: its mark, and its words without what a test scripts and when a limit ends. */
function troubleOn(screen: readonly string[]): string | null {
  const forms = [/^(●)\s(API Error: \d+)/, /^(⎿)\s+(You've hit your .* limit) · resets \d/];
  const found = plainRows(screen).flatMap(
    (line) =>
      forms
        .flatMap((form) => form.exec(line) ?? [])
        .slice(1, 3)
        .join(" ") || [],
  );
  return found.at(-1) ?? null;
}

type NameOf = (id: unknown) => string | null;

interface Process {
  pid: number;
  start: string | undefined;
}

/** The fields that hivemind reads, or may come to read. */
function registryWords(
  file: Json,
  { pid, start }: Process,
  nameOf: NameOf,
  role: (path: unknown) => unknown,
): Json {
  const { name, nameSource, status, waitingFor, kind, entrypoint, peerProtocol } = file;
  return {
    isOwn: file.pid === pid,
    session: nameOf(file.sessionId),
    cwd: role(file.cwd),
    hasOwnStart: file.procStart === start,
    ...{ kind, entrypoint, peerProtocol, nameSource, status, waitingFor },
    name: plain(name),
    hasInbox: typeof file.messagingSocketPath === "string",
    times: ["startedAt", "updatedAt", "statusUpdatedAt"].map((key) => typeof file[key]),
    tmux: typeof file.tmux === "string" ? file.tmux.replace(/^.*:@\d+\.%\d+$/, "team:@0.%0") : file.tmux,
    pidDomain:
      typeof file.pidDomain === "string"
        ? file.pidDomain.replace(/[0-9a-f]{32}/, "<machine>").replace(/\d{6,}/, "<namespace>")
        : file.pidDomain,
  };
}

/** hivemind reads no other records, and of most attachments only what the answers beside them say too. */
const comparedTypes = new Set(["custom-title", "user", "assistant", "system", "queue-operation"]);

function isCompared({ type, attachment }: Json): boolean {
  return comparedTypes.has(String(type)) || (attachment as Json | undefined)?.type === "queued_command";
}

function writtenSince(
  before: ReadonlyMap<string, number>,
  transcripts: ReadonlyMap<string, Json[]>,
  nameOf: NameOf,
): Record<string, string[]> {
  const written: [string, string[]][] = [];
  for (const [id, records] of transcripts) {
    // The client repeats the title whenever it likes: only one that changes counts.
    let lastTitle: unknown;
    const words = records.map((record) => {
      if (!isCompared(record)) return null;
      if (record.type !== "custom-title") return recordWords(record, nameOf);
      const isNew = record.customTitle !== lastTitle;
      lastTitle = record.customTitle;
      return isNew ? `custom-title ${plain(lastTitle)}` : null;
    });
    const fresh = words.slice(before.get(id) ?? 0).filter((word) => word !== null);
    // The client writes its queue at once and the rest a moment later: each in an order of its own.
    const queue = fresh.filter((word) => word.startsWith("queue-operation"));
    if (queue.length > 0) written.push([`${nameOf(id)}, its queue`, queue]);
    const others = fresh.filter((word) => !word.startsWith("queue-operation"));
    if (others.length > 0) written.push([nameOf(id)!, others]);
  }
  return Object.fromEntries(written.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function recordWords(record: Json, nameOf: NameOf): string {
  const { type, subtype, operation, isMeta, isSidechain, forkedFrom, isCompactSummary } = record;
  const message = record.message as { content?: unknown; model?: string } | undefined;
  const isMessage = type !== "queue-operation";
  return [
    type,
    subtype ?? operation,
    isMeta === true ? "meta" : null,
    isSidechain === true ? "aside" : null,
    isCompactSummary === true ? "summary" : null,
    type === "user" ? contentWords(message?.content) : null,
    ...peerWords(record),
    type === "assistant" && message?.model === "<synthetic>" ? "synthetic" : null,
    isMessage && typeof record.cwd !== "string" ? "without cwd" : null,
    isMessage && typeof record.timestamp !== "string" ? "without time" : null,
    forkedFrom ? `copied from ${nameOf((forkedFrom as Json).sessionId)}` : null,
    type === "assistant" && record.session_id ? `begun as ${nameOf(record.session_id)}` : null,
  ]
    .filter((word) => word !== null && word !== undefined)
    .join(" ");
}

/** Of a message that another program posted, and how it was taken. */
function peerWords({ origin: own, turnOrigin, promptSource, reason, attachment }: Json): unknown[] {
  const origin = (own ?? (attachment as Json | undefined)?.origin) as Json | undefined;
  if (reason !== undefined) return [reason];
  if (origin?.kind !== "peer") return [];
  const { from, name, fromMode, body, msg_id } = origin;
  const words = { from, name, fromMode, body, hasId: msg_id !== undefined, turnOrigin, promptSource };
  return [(attachment as Json | undefined)?.type, JSON.stringify(words)];
}

function contentWords(content: unknown): string | null {
  const [first] = Array.isArray(content) ? (content as Json[]) : [{ type: "text", text: content }];
  if (first?.type !== "text") return String(first?.type);
  const text = String(first.text);
  return /^<command-name>([^<]*)/.exec(text)?.[1] ?? /^<([a-z-]+)>/.exec(text)?.[1] ?? null;
}

/** The spinner turns; the words behind a name that is taken, and what is made up of the folder, are drawn by lot. */
function title(shown: string): string {
  const [, mark = "", name = shown] = /^(\S) (.*)$/.exec(shown) ?? [];
  return `${/[\u2800-\u28ff]/.test(mark) ? "⠂" : mark} ${plain(name)}`.trim();
}

function plain(name: unknown): unknown {
  if (typeof name !== "string") return name ?? null;
  return name
    .replace(/^(lead|boss|twig)-[a-z]+-[a-z]+/, "$1-suffix")
    .replace(/^work-[0-9a-z]{2}$/, "work-xx");
}
