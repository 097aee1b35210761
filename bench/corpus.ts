// Writes a config folder full of transcripts like that of a long-used machine: forks of forks, renames, side chains,
// torn tails, giant lines, and text that looks like records. The same seed gives the same bytes.
//
// npx tsx bench/corpus.ts FOLDER [TRANSCRIPTS] [MEGABYTES] [SEED]

import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectSlug } from "../src/names/slug.js";

export interface CorpusOptions {
  /** The config folder; the transcripts go to its `projects/`. */
  folder: string;
  transcripts?: number;
  bytes?: number;
  seed?: number;
  /** The folder of the conversations, with one folder per project. */
  workFolder?: string;
}

export interface Corpus {
  files: string[];
  bytes: number;
}

export function makeCorpus(options: CorpusOptions): Corpus {
  const { folder, transcripts = 2000, bytes = 2e9, seed = 1, workFolder = "/srv/code" } = options;
  const random = randomNumbers(seed);
  const prose = makeProse(random);
  const files: string[] = [];
  const parents: Parent[] = [];
  const meanBytes = bytes / transcripts;
  let written = 0;
  for (let made = 0; made < transcripts; made++) {
    const project = Math.floor(random() ** 2 * 60);
    const cwd = `${workFolder}/project-${project}`;
    const path = folderOf(folder, cwd);
    // The rest is spread over the remaining transcripts, half of it in a few long conversations.
    const share = ((bytes - written) / (transcripts - made)) * (random() < 0.08 ? 6 : 0.2 + 0.7 * random());
    const parent = made % 5 === 4 ? parents[Math.floor(random() * parents.length)] : undefined;
    const session = newSession(random, cwd, project, parent);
    const lines = writeConversation(session, parent, share, random, prose);
    if (made % 40 === 7) lines.push(giantLine(session, meanBytes, random, prose));
    const tail = made % 9 === 3 ? messageLine(session, random, prose).slice(0, 150) : "";
    const text = `${lines.join("\n")}\n${tail}`;
    const file = join(path, `${session.id}.jsonl`);
    writeFileSync(file, text, { mode: 0o600 });
    // Modified at the time of its last message: most conversations of a long-used machine are old.
    utimesSync(file, session.timeMs / 1000, session.timeMs / 1000);
    files.push(file);
    written += Buffer.byteLength(text);
    if (text.length < meanBytes && parents.length < 200) parents.push({ session, lines });
  }
  return { files, bytes: written };
}

interface Session {
  id: string;
  cwd: string;
  project: number;
  title: string;
  lastMessage: string | null;
  timeMs: number;
  contextTokens: number;
}

interface Parent {
  session: Session;
  lines: string[];
}

type Random = () => number;

function folderOf(folder: string, cwd: string): string {
  const path = join(folder, "projects", projectSlug(cwd));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function newSession(random: Random, cwd: string, project: number, parent: Parent | undefined): Session {
  return {
    id: uuid(random),
    cwd,
    project,
    title: `agent-${Math.floor(random() * 500)}`,
    lastMessage: null,
    timeMs: parent?.session.timeMs ?? Date.UTC(2026, 0, 1) + Math.floor(random() * 1e10),
    contextTokens: 15_000,
  };
}

/** A fork keeps the messages of its parent under its own id: `--fork-session`, or `/branch` with its marks. */
function writeConversation(
  session: Session,
  parent: Parent | undefined,
  bytes: number,
  random: Random,
  prose: Prose,
): string[] {
  const lines = [titleLine(session), `{"type":"mode","mode":"normal","sessionId":"${session.id}"}`];
  let size = 0;
  const add = (line: string) => {
    lines.push(line);
    size += line.length + 1;
  };
  if (parent !== undefined) {
    const isBranch = random() < 0.4;
    const copied = parent.lines.filter((line) => line.startsWith('{"parentUuid"'));
    for (const line of copied.slice(0, 1 + Math.floor(random() * copied.length))) {
      add(copyOf(line, parent.session.id, session.id, isBranch));
    }
  }
  while (size < bytes) {
    add(messageLine(session, random, prose));
    const dice = random();
    if (dice < 0.004) {
      session.title = `agent-${Math.floor(random() * 500)}`;
      add(titleLine(session));
    } else if (dice < 0.03) {
      add(
        `{"type":"file-history-snapshot","messageId":"${uuid(random)}","snapshot":{"trackedFileBackups":{}}}`,
      );
    }
  }
  return lines;
}

function copyOf(line: string, from: string, to: string, isBranch: boolean): string {
  const copy = line.replace(`"sessionId":"${from}"`, `"sessionId":"${to}"`);
  const message = /"uuid":"([0-9a-f-]{36})"/.exec(line)?.[1];
  return isBranch
    ? `${copy.slice(0, -1)},"forkedFrom":{"sessionId":"${from}","messageUuid":"${message}"}}`
    : copy;
}

function titleLine({ title, id }: Session): string {
  return `{"type":"custom-title","customTitle":"${title}","sessionId":"${id}"}`;
}

function messageLine(session: Session, random: Random, prose: Prose): string {
  const dice = random();
  if (dice < 0.45) return assistantLine(session, random, prose);
  if (dice < 0.85) return resultLine(session, random, prose);
  if (dice < 0.93) {
    return `${head(session, random)}"type":"user","message":{"role":"user","content":"${prose(600)}"},${tail(session, random)}}`;
  }
  if (dice < 0.97) {
    const attachment = `{"type":"hook_success","stdout":"${prose(300)}"}`;
    return `${head(session, random)}"attachment":${attachment},"type":"attachment",${tail(session, random)}}`;
  }
  return `${head(session, random)}"type":"system","subtype":"informational","content":"${prose(200)}",${tail(session, random)}}`;
}

function assistantLine(session: Session, random: Random, prose: Prose): string {
  session.contextTokens += Math.floor(random() * 1500);
  if (session.contextTokens > 180_000) session.contextTokens = 20_000;
  const isSidechain = random() < 0.08;
  const content =
    random() < 0.5
      ? `{"type":"text","text":"${prose(lengthOf(random, 900))}"}`
      : `{"type":"tool_use","id":"toolu_${uuid(random)}","name":"Edit","input":{"type":"custom-title","customTitle":"decoy","file_path":"${session.cwd}/a.ts","new_string":"${prose(lengthOf(random, 1200))}"}}`;
  const usage =
    `{"input_tokens":${Math.floor(random() * 9)},"cache_creation_input_tokens":${Math.floor(random() * 900)},` +
    `"cache_read_input_tokens":${session.contextTokens},"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":120},` +
    `"output_tokens":${Math.floor(random() * 800)},"server_tool_use":{"web_search_requests":0},"service_tier":"standard"}`;
  const message =
    `{"model":"claude-opus-4-8","id":"msg_${uuid(random)}","type":"message","role":"assistant",` +
    `"content":[${content}],"stop_reason":null,"stop_sequence":null,"usage":${usage}}`;
  return `${head(session, random, isSidechain)}"message":${message},"requestId":"req_${uuid(random)}","type":"assistant",${tail(session, random)}}`;
}

/** The result of a tool is in the record twice, as in the client's own. */
function resultLine(session: Session, random: Random, prose: Prose): string {
  const text = prose(lengthOf(random, 1500));
  const content = `[{"tool_use_id":"toolu_${uuid(random)}","type":"tool_result","content":"${text}"}]`;
  const result = `{"stdout":"${text}","stderr":"","interrupted":false,"usage":{"input_tokens":999999}}`;
  return `${head(session, random)}"type":"user","message":{"role":"user","content":${content}},${tail(session, random)},"toolUseResult":${result}}`;
}

function giantLine(session: Session, meanBytes: number, random: Random, prose: Prose): string {
  const block = prose(100_000);
  const image = block.repeat(Math.max(1, Math.round((meanBytes * 4) / block.length)));
  return `${head(session, random)}"type":"user","message":{"role":"user","content":"${image}"},${tail(session, random)}}`;
}

function head(session: Session, random: Random, isSidechain = false): string {
  const parent = session.lastMessage === null ? "null" : `"${session.lastMessage}"`;
  if (!isSidechain) session.lastMessage = uuid(random);
  return (
    `{"parentUuid":${parent},"isSidechain":${isSidechain},"userType":"external","cwd":"${session.cwd}",` +
    `"sessionId":"${session.id}","version":"2.1.197","gitBranch":"main",`
  );
}

function tail(session: Session, random: Random): string {
  session.timeMs += Math.floor(random() * 30_000);
  return `"uuid":"${session.lastMessage ?? uuid(random)}","timestamp":"${new Date(session.timeMs).toISOString()}"`;
}

/** Most texts are short, some are long. */
function lengthOf(random: Random, mean: number): number {
  return Math.floor(mean * -Math.log(1 - random() * 0.999));
}

type Prose = (length: number) => string;

/** JSON-escaped text of about a given length, cut from one long piece without splitting an escape. */
function makeProse(random: Random): Prose {
  const words =
    "the agent reads const value = 17 function returns error window pane session index of file with".split(
      " ",
    );
  const decoys = [
    '{"type":"custom-title","customTitle":"typed by a person"}',
    '{"type":"assistant","isSidechain":false,"message":{"usage":{"input_tokens":900000}}}',
    "<command-name>/clear</command-name>",
    'console.log("two \\\\ slashes");\n',
    "日本語 ✳ text\t",
  ];
  const cuts = [0];
  let text = "";
  while (text.length < 400_000) {
    const sentence = Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(" ");
    const more = random() < 0.15 ? decoys[Math.floor(random() * decoys.length)]! : ".\n  ";
    text += JSON.stringify(`${sentence}${more}`).slice(1, -1);
    cuts.push(text.length);
  }
  const meanCut = text.length / (cuts.length - 1);
  return (length) => {
    const count = Math.max(1, Math.round(length / meanCut));
    const from = Math.floor(random() * Math.max(1, cuts.length - 1 - count));
    return text.slice(cuts[from], cuts[Math.min(from + count, cuts.length - 1)]);
  };
}

function uuid(random: Random): string {
  const part = () =>
    Math.floor(random() * 0x100000000)
      .toString(16)
      .padStart(8, "0");
  const hex = `${part()}${part()}${part()}${part()}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** mulberry32: small, and the same everywhere. */
function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, transcripts = "2000", megabytes = "2000", seed = "1"] = process.argv.slice(2);
  if (folder === undefined) throw new Error("usage: corpus.ts FOLDER [TRANSCRIPTS] [MEGABYTES] [SEED]");
  const made = makeCorpus({
    folder,
    transcripts: Number(transcripts),
    bytes: Number(megabytes) * 1e6,
    seed: Number(seed),
  });
  console.log(`${made.files.length} transcripts, ${(made.bytes / 1e6).toFixed(0)} MB`);
}
