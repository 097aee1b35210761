// Conversations that come and go in a few work folders, written as the client writes them, on a clock of the test.

import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { projectSlug } from "../../src/names/slug.js";
import type { Json } from "./claude-lines.js";
import { idOf, title, writeTranscript } from "./files.js";

/** Two of them share a folder of the client. */
export const workFolders = ["/srv/a", "/srv/b", "/srv/b-c", "/srv/b/c"] as const;

export interface Conversation {
  id: SessionId;
  path: string;
  cwd: string;
  /** The session in which its process began. */
  began: SessionId;
}

export function tellStory(claude: string) {
  const all: Conversation[] = [];
  const links: [SessionId, SessionId][] = [];
  let made = 0;
  // Times of files are real: a clock ahead of them has no file from the future.
  let nowMs = Date.now() + 3_600_000;
  let late: { atMs: number; write: () => void }[] = [];
  const pass = (ms: number) => {
    nowMs += ms;
    vi.setSystemTime(nowMs);
    const due = late.filter(({ atMs }) => atMs <= nowMs);
    late = late.filter((each) => !due.includes(each));
    for (const { write } of due) write();
  };
  pass(0);

  const linesOf = ({ path }: Conversation) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Json);
  const messagesOf = (one: Conversation) => linesOf(one).filter(({ uuid }) => uuid !== undefined);

  function record(type: string, { cwd, id }: Pick<Conversation, "cwd" | "id">, more: Json = {}): Json {
    const common = { parentUuid: "before", sessionId: id, isSidechain: false, cwd, uuid: `m${++made}` };
    return { ...common, type, timestamp: new Date(nowMs).toISOString(), ...more };
  }

  const prompt = (one: Conversation, more: Json = {}) =>
    record("user", one, { message: { role: "user", content: "hello" }, ...more });
  const answer = (one: Conversation) =>
    record("assistant", one, {
      message: { model: "claude-x", content: [], usage: { input_tokens: 5, output_tokens: 1 } },
      session_id: one.began,
    });

  /** The times of file and folder follow the clock of the test. */
  function stamp(path: string, isNew: boolean): void {
    const at = new Date(nowMs);
    utimesSync(path, at, at);
    if (isNew) utimesSync(dirname(path), at, at);
  }

  function begin(cwd: string, lines: (one: Conversation) => Json[], slugOf: string = cwd): Conversation {
    const id = idOf(++made);
    const path = join(claude, "projects", projectSlug(slugOf), `${id}.jsonl`);
    const one: Conversation = { id, path, cwd, began: id };
    writeTranscript(path, ...lines(one).map((line) => JSON.stringify(line)));
    stamp(path, true);
    all.push(one);
    return one;
  }

  function add(one: Conversation, ...records: Json[]): void {
    appendFileSync(one.path, records.map((each) => `${JSON.stringify(each)}\n`).join(""));
    stamp(one.path, false);
  }

  const isThere = ({ path }: Conversation) => statSync(path, { throwIfNoEntry: false }) !== undefined;
  const root = (one: Conversation) => prompt(one, { parentUuid: null });
  const clearWords = "<command-name>/clear</command-name>\n<command-message>clear</command-message>";
  const copied = (records: readonly Json[], id: SessionId, more: (record: Json) => Json = () => ({})) =>
    records.map((each) => ({ ...each, sessionId: id, ...more(each) }));
  const boundary = (one: Conversation) =>
    record("system", one, { subtype: "compact_boundary", parentUuid: null });

  return {
    all,
    links,
    pass,
    begin: (cwd: string) => begin(cwd, (one) => [JSON.parse(title(`t${made % 3}`)), root(one), answer(one)]),
    /** Its first record has no folder and no message. */
    beginSilent: (cwd: string) => begin(cwd, () => [JSON.parse(title("silent"))]),
    /** Its files are kept where another folder has its own. */
    beginElsewhere: (cwd: string, slugOf: string) => begin(cwd, (one) => [root(one), answer(one)], slugOf),
    say: (one: Conversation, cwd = one.cwd) => add(one, prompt({ ...one, cwd }), answer({ ...one, cwd })),
    rename: (one: Conversation, name: string) => add(one, JSON.parse(title(name))),
    compact: (one: Conversation) => add(one, boundary(one), prompt(one, { isMeta: true })),
    fork: (of: Conversation, cwd: string, isSpoken: boolean) =>
      begin(cwd, (one) => [
        ...copied(messagesOf(of), one.id),
        ...(isSpoken ? [prompt(one), answer(one)] : []),
      ]),
    branch: (of: Conversation) =>
      begin(of.cwd, (one) => {
        const origin = ({ uuid }: Json) => ({ forkedFrom: { sessionId: of.id, messageUuid: uuid } });
        return [...copied(messagesOf(of), one.id, origin), prompt(one)];
      }),
    /** In a folder to which its process may have changed. */
    clear: (of: Conversation, cwd: string, isAnswered: boolean) => {
      const cleared = begin(cwd, (one) => {
        const message = { role: "user", content: clearWords };
        const next = { ...one, began: of.began };
        const said = isAnswered ? [prompt(next), answer(next)] : [];
        return [JSON.parse(title("t1")), prompt(next, { parentUuid: null, message }), ...said];
      });
      cleared.began = of.began;
      return cleared;
    },
    /** The fork has the boundary at once; the original's own record of it takes a while to the disk. */
    forkOfCompacted: (of: Conversation, cwd: string, lateMs: number) => {
      const cut = boundary(of);
      begin(cwd, (one) => [...copied([cut], one.id), prompt(one), answer(one)]);
      const more = prompt(of);
      late.push({ atMs: nowMs + lateMs, write: () => isThere(of) && add(of, cut, more) });
    },
    /** The same session resumed from another folder, by a client that makes a second file. */
    twin: (of: Conversation, cwd: string) => {
      const path = join(claude, "projects", projectSlug(cwd), `${of.id}.jsonl`);
      if (all.some((other) => other.path === path)) return;
      mkdirSync(dirname(path), { recursive: true });
      writeTranscript(path, JSON.stringify(prompt({ ...of, cwd }, { parentUuid: null })));
      stamp(path, true);
      all.push({ ...of, path, cwd });
    },
    remove(one: Conversation) {
      rmSync(one.path);
      stamp(dirname(one.path), false);
      all.splice(all.indexOf(one), 1);
    },
    move(one: Conversation, cwd: string) {
      const path = join(claude, "projects", projectSlug(cwd), `${one.id}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      if (all.some((other) => other.path === path)) return;
      renameSync(one.path, path);
      stamp(path, true);
      stamp(dirname(one.path), false);
      one.path = path;
    },
    link: (one: Conversation, other: Conversation) => {
      if (one.id !== other.id) links.push([one.id, other.id]);
    },
  };
}
