import { statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { createFile, FileRefused } from "../base/atomic-file.js";
import { errorCode, HiveError, UsageError } from "../base/errors.js";
import type { AnySession } from "../fleet/session-list.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import { skippedProblems } from "../transcripts/skipped.js";
import type { Command, Input } from "./command.js";
import { boundaryNote, workspaceHere } from "./here.js";
import { jsonText, shown } from "./output.js";
import { noteProblems } from "./problems.js";
import { saidJson, timeOf } from "./sessions-json.js";
import { allOption } from "./sessions-known.js";
import { markdownHead, markdownOf } from "./sessions-markdown.js";
import { fileOption, meantOrFile, refOrFile } from "./sessions-meant.js";

export const sessionsExport: Command = {
  words: "sessions export",
  about: "a whole conversation as Markdown or JSON",
  args: [refOrFile],
  options: [
    allOption,
    fileOption,
    {
      name: "format",
      value: "md|json",
      about: "md (without it): Markdown with tools folded; json: every message",
    },
    { name: "out", value: "file", about: "into a new file instead of stdout", meaning: "path" },
  ],
  examples: [
    "hivemind sessions export latest",
    "hivemind sessions export 15533422 --out review.md",
    "hivemind sessions export web4-po --format json",
  ],
  get notes() {
    return `In Markdown control characters of the text are made visible; JSON has the text as it is.\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, input) {
    const format = formatOf(input);
    const { entry, problems } = await meantOrFile(cli, input, "sessions export");
    if (entry.path === null) refuseUnseen(`what was said in ${entry.id}`, entry.id, problems);
    const { readConversation } = await import("../fleet/conversation.js");
    const out = outPath(input);
    const parts: Buffer[] = [];
    const write = (text: string) =>
      out === undefined ? cli.out.write(text) : void parts.push(Buffer.from(text));
    const { messages, skippedLines } = exportTo(entry, format, readConversation, write);
    if (out !== undefined) {
      save(out, Buffer.concat(parts));
      cli.out.note(`${messages} messages of ${entry.id} are in ${shown(out)}`);
    }
    return noteProblems(skippedProblems(entry.path ?? entry.id, skippedLines), false, cli.out);
  },
};

type Format = "md" | "json";
type Read = typeof import("../fleet/conversation.js").readConversation;

function formatOf(input: Input): Format {
  const format = input.option("format") ?? (input.flag("json") ? "json" : "md");
  if (format === "md" || format === "json") return format;
  throw new UsageError(`"${format}" is no format: md or json`, { hint: "hivemind sessions export --help" });
}

function outPath(input: Input): string | undefined {
  const typed = input.option("out");
  if (typed === undefined || isAbsolute(typed)) return typed;
  return resolve(workspaceHere("name the whole path: --out FILE").path, typed);
}

/** One message after the other: a conversation may be larger than memory. Returns how many there were. */
function exportTo(entry: AnySession, format: Format, read: Read, write: (text: string) => void) {
  let count = 0;
  // Nothing is written of a session that cannot be read.
  const begin = () => write(format === "md" ? markdownHead(entry) : jsonHead(entry));
  const skippedLines = read(entry, (said) => {
    if (count++ === 0) begin();
    if (format === "md") write(markdownOf(said, count));
    else write(`${count > 1 ? "," : ""}\n${jsonText(saidJson(said))}`);
  });
  if (count === 0) begin();
  if (format === "json") write("\n]}\n");
  return { messages: count - skippedLines, skippedLines };
}

function jsonHead(entry: AnySession): string {
  const { id, agent, title, workspace, model, path, updatedAtMs } = entry;
  const facts = {
    id,
    agent,
    title,
    cwd: workspace?.path ?? null,
    model,
    path,
    updatedAt: timeOf(updatedAtMs),
  };
  return `{"version":1,"session":${jsonText(facts)},"messages":[`;
}

function save(path: string, bytes: Buffer): void {
  try {
    // A folder that nobody made is a slip of the pen.
    statSync(dirname(path));
    if (createFile(path, bytes)) return;
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof FileRefused)) throw error;
    throw new HiveError(`could not write ${path}: ${(error as Error).message}`, { cause: error });
  }
  throw new HiveError(`${path} is there already`, { hint: "give a name that is not taken" });
}
