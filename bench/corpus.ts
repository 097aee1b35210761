// Writes a config folder full of transcripts like that of a long-used machine, half of it by each pinned client:
// forks of forks, branches, cleared and compacted conversations, renames, thoughts, pictures, queued messages,
// sub-agents, torn tails, giant lines, and text that looks like records. The same seed gives the same bytes.
//
// npx tsx bench/corpus.ts FOLDER [--transcripts N] [--megabytes N] [--seed N] [--shape S]

import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { projectSlug } from "../src/names/slug.js";
import {
  clearLines,
  compactionLines,
  copyOf,
  headLines,
  openingLines,
  queueLines,
  type Session,
  type Source,
  summaryLines,
  titleLine,
  turnLines,
} from "./corpus-records.js";
import { makePictures, makeProse, randomNumbers, uuid } from "./corpus-text.js";

export interface CorpusOptions {
  /** The config folder; the transcripts go to its `projects/`. */
  folder: string;
  /** Default: 2000, or 20 huge ones. */
  transcripts?: number | undefined;
  bytes?: number;
  seed?: number;
  /** The folder of the conversations, with one folder per project. */
  workFolder?: string;
  shape?: Shape;
}

/** Usual: half of the bytes in a few long conversations. No family: no conversation has a relative. */
export const shapes = ["usual", "few-huge", "no-family"] as const;
export type Shape = (typeof shapes)[number];

export interface Corpus {
  files: string[];
  bytes: number;
}

export function makeCorpus(options: CorpusOptions): Corpus {
  const { folder, bytes = 2e9, seed = 1, workFolder = "/srv/code", shape = "usual" } = options;
  const transcripts = options.transcripts ?? (shape === "few-huge" ? 20 : 2000);
  const random = randomNumbers(seed);
  const source: Source = { random, prose: makeProse(random), picture: makePictures(random) };
  const files: string[] = [];
  const parents: Parent[] = [];
  const meanBytes = bytes / transcripts;
  const isShort = (size: number) => size < Math.min(meanBytes, parentBytes);
  let written = 0;
  for (let made = 0; made < transcripts; made++) {
    const cwd = `${workFolder}/project-${Math.floor(random() ** 2 * 60)}`;
    // The rest is spread over the remaining transcripts, half of it in a few long conversations.
    const part = random() < 0.08 ? 6 : 0.2 + 0.7 * random();
    const share = ((bytes - written) / (transcripts - made)) * (shape === "few-huge" ? 1 : part);
    const hasParent = made % 5 === 4 && shape !== "no-family";
    const parent = hasParent ? parents[Math.floor(random() * parents.length)] : undefined;
    const session = newSession(source, cwd, parent);
    const beginning = parent === undefined ? beginningOf(session, source) : copied(session, parent, source);
    const file = join(folderOf(folder, cwd), `${session.id}.jsonl`);
    const lines = [...beginning];
    let size = writeLines(file, beginning, "w");
    while (size < share) {
      const more = moreLines(session, source);
      size += writeLines(file, more);
      if (isShort(size)) lines.push(...more);
    }
    // A client that was killed leaves half a line.
    if (made % 9 === 3) size += writeText(file, turnLines(session, source)[0]!.slice(0, 150));
    if (random() < 0.25) writeSubAgents(file, session, source);
    // Modified at the time of its last message: most conversations of a long-used machine are old.
    utimesSync(file, session.timeMs / 1000, session.timeMs / 1000);
    files.push(file);
    written += size;
    if (isShort(size) && parents.length < 200) parents.push({ session, lines });
  }
  return { files, bytes: written };
}

/** The lines of possible parents stay in memory. */
const parentBytes = 4e6;

interface Parent {
  session: Session;
  lines: readonly string[];
}

function newSession({ random }: Source, cwd: string, parent: Parent | undefined): Session {
  const id = uuid(random);
  return {
    id,
    version: parent?.session.version ?? (random() < 0.5 ? "2.1.197" : "2.1.325"),
    cwd,
    title: `agent-${Math.floor(random() * 500)}`,
    lastMessage: null,
    timeMs: parent?.session.timeMs ?? Date.UTC(2026, 0, 1) + Math.floor(random() * 1e10),
    contextTokens: 15_000,
    startedAs: id,
  };
}

function beginningOf(session: Session, source: Source): string[] {
  const head = headLines(session);
  const isCleared = source.random() < 0.1;
  if (isCleared) session.startedAs = uuid(source.random);
  const first = isCleared ? clearLines(session, source) : turnLines(session, source).slice(0, 1);
  const isOld = session.version === "2.1.197" && source.random() < 0.1;
  return [...(isOld ? summaryLines(source) : []), ...head, ...first, ...openingLines(session, source)];
}

/** Up to some message: `--fork-session`, or `/branch`, whose copies come first. */
function copied(session: Session, parent: Parent, { random }: Source): string[] {
  const isBranch = random() < 0.4;
  const messages = parent.lines.filter((line) => line.startsWith('{"parentUuid"'));
  const kept = messages.slice(0, 1 + Math.floor(random() * messages.length));
  const copies = kept.map((line) => copyOf(line, parent.session.id, session.id, isBranch));
  session.lastMessage = /"uuid":"([0-9a-f-]{36})"/.exec(kept.at(-1)!)![1]!;
  if (isBranch) session.startedAs = parent.session.id;
  return isBranch ? [...copies, ...headLines(session)] : [...headLines(session), ...copies];
}

function moreLines(session: Session, source: Source): string[] {
  const lines = turnLines(session, source);
  const dice = source.random();
  if (dice < 0.02) {
    session.title = `agent-${Math.floor(source.random() * 500)}`;
    lines.push(titleLine(session.id, session.title));
  } else if (dice < 0.15) lines.push(...headLines(session));
  else if (dice < 0.152) lines.push(giantLine(session, source));
  else if (dice < 0.25) lines.push(...queueLines(session, source));
  if (session.contextTokens > 160_000) lines.push(...compactionLines(session, source));
  return lines;
}

/** A pasted picture of some megabytes. */
function giantLine(session: Session, { picture, random }: Source): string {
  const data = picture(1e6 + random() * 3e6);
  const [line] = turnLines(session, {
    random,
    picture,
    prose: () => data,
  });
  return line!;
}

/** In a folder of their own beside the transcript; an earlier client wrote them into the same folder. */
function writeSubAgents(file: string, session: Session, source: Source): void {
  const { random } = source;
  const isOld = session.version === "2.1.197" && random() < 0.5;
  const folder = isOld ? dirname(file) : join(file.replace(/\.jsonl$/, ""), "subagents");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const subAgent = uuid(random).replaceAll("-", "").slice(0, 17);
    const own: Session = { ...session, lastMessage: null, contextTokens: 15_000, subAgent };
    const turns = Array.from({ length: 1 + Math.floor(random() * 4) }, () => turnLines(own, source));
    writeLines(join(folder, `agent-${subAgent}.jsonl`), turns.flat(), "w");
  }
}

export function shapeNamed(typed: string): Shape {
  const shape = shapes.find((each) => each === typed);
  if (shape === undefined) throw new Error(`no such shape: ${typed}; there are: ${shapes.join(", ")}`);
  return shape;
}

function writeLines(file: string, lines: readonly string[], flag: "a" | "w" = "a"): number {
  return writeText(file, `${lines.join("\n")}\n`, flag);
}

function writeText(file: string, text: string, flag: "a" | "w" = "a"): number {
  if (flag === "w") writeFileSync(file, text, { mode: 0o600 });
  else appendFileSync(file, text);
  return Buffer.byteLength(text);
}

function folderOf(folder: string, cwd: string): string {
  const path = join(folder, "projects", projectSlug(cwd));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const number = (fallback: number) => ({ type: "string", default: String(fallback) }) as const;
  const { values, positionals } = parseArgs({
    options: {
      ...{ transcripts: { type: "string" }, megabytes: number(2000), seed: number(1) },
      shape: { type: "string", default: "usual" },
    },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined)
    throw new Error("usage: corpus.ts FOLDER [--transcripts N] [--megabytes N] [--seed N] [--shape S]");
  const made = makeCorpus({
    folder,
    transcripts: values.transcripts === undefined ? undefined : Number(values.transcripts),
    bytes: Number(values.megabytes) * 1e6,
    seed: Number(values.seed),
    shape: shapeNamed(values.shape),
  });
  console.log(`${made.files.length} transcripts, ${(made.bytes / 1e6).toFixed(0)} MB`);
}
