import { statSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { type ExitCode, errorCode, HiveError, UsageError } from "../../base/errors.js";
import { createFile, FileRefused } from "../../base/files/atomic-file.js";
import type { PageWanted, PlacedUtterance } from "../../fleet/sessions/conversation-page.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import { skippedProblems } from "../../transcripts/scan/skipped.js";
import { refuseUnseen } from "../../transcripts/unreadable.js";
import type { Cli, Command, Input } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { hasHost, renamed } from "../far/open-far.js";
import { jsonText, shown } from "../output.js";
import { noteProblems } from "../problems.js";
import { boundaryNote, currentWorkspace } from "../workspace.js";
import { noteBeginning } from "./beginning.js";
import { allOption, fileOption, meantOrFile, refOrFile } from "./known.js";
import { markdownHead, markdownOf } from "./markdown.js";
import { timeOf, utteranceJson } from "./session-json.js";

export const sessionsExport: Command = {
  words: "sessions export",
  about: "print a whole conversation as Markdown or JSON",
  args: [takingHosts(refOrFile)],
  options: [
    allOption,
    fileOption,
    {
      name: "format",
      value: "md|json",
      about: "md (default): Markdown with tools folded; json: every message",
    },
    { name: "out", value: "file", about: "write to a new file instead of stdout", meaning: "path" },
    {
      name: "count",
      value: "n",
      about: `with --json: only the last N messages (at most ${limits.pageMostMessages})`,
    },
    { name: "before", value: "place", about: "with --count: only messages before this place" },
  ],
  examples: [
    "hivemind sessions export latest",
    "hivemind sessions export 15533422 --out review.md",
    "hivemind sessions export web4-po --format json",
    "hivemind sessions export web4-po --json --count 50",
    "hivemind sessions export tester@server --out tester.md",
  ],
  get notes() {
    return `${formatNote}\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, typed) {
    const input = await farExport(cli, typed);
    if (typeof input === "number") return input;
    const format = formatOf(input);
    const page = pageWanted(input, format);
    const { entry, fleet, problems } = await meantOrFile(cli, input, "sessions export");
    if (entry.path === null) refuseUnseen(`the transcript of ${entry.id}`, entry.id, problems);
    if (page !== null) {
      const { readPage } = await import("../../fleet/sessions/conversation-page.js");
      const { messages, before, total } = readPage(entry, page);
      const session = { ...sessionFacts(entry), messages: entry.messages };
      cli.out.json({ session, messages: messages.map(placedJson), before, total });
      return undefined;
    }
    const out = outPath(input);
    const parts: Buffer[] = [];
    const write = (text: string) =>
      out === undefined ? cli.out.write(text) : void parts.push(Buffer.from(text));
    const { messages, skippedLines } = await exportTo(entry, format, write);
    if (out !== undefined) {
      save(out, Buffer.concat(parts));
      cli.out.note(`wrote ${messages} messages of ${entry.id} to ${shown(out)}`);
    }
    noteBeginning(entry, fleet, cli.out, "export");
    return noteProblems(skippedProblems(entry.path ?? entry.id, skippedLines), false, cli.out);
  },
};

const formatNote =
  "Markdown makes control characters visible; JSON keeps the text unchanged. With --count each message has a place, and\n" +
  "`before` is the place for the page before it, null at the beginning. A page with long messages has fewer than N.";

/** The other host prints it as text; --out is a file of this one. */
async function farExport(cli: Cli, typed: Input): Promise<ExitCode | Input> {
  if (!hasHost(typed.arg("ref") ?? "")) return typed;
  const isPage = typed.option("count") !== undefined;
  const out = outPath(typed);
  const own: Readonly<Record<string, string | undefined>> = { format: formatOf(typed), out: undefined };
  const asked: Input = {
    ...typed,
    flag: (name) => (name === "json" && !isPage ? false : typed.flag(name)),
    option: (name) => (name in own && !isPage ? own[name] : typed.option(name)),
  };
  const write = (lines: readonly string[]) => {
    save(out!, Buffer.from(`${lines.join("\n")}\n`));
    cli.out.note(`wrote ${shown(out)}`);
  };
  const input = await farRead(cli, asked, sessionsExport, "ref", out === undefined ? "alone" : write);
  return typeof input === "number" ? input : renamed(typed, "ref", input.need("ref"));
}

type Format = "md" | "json";

/** Null without --count. */
function pageWanted(input: Input, format: Format): PageWanted | null {
  const [count, before] = [input.option("count"), input.option("before")];
  const refuse = (message: string): never => {
    throw new UsageError(message, { hint: "hivemind sessions export REF --json --count 50" });
  };
  if (count === undefined) return before === undefined ? null : refuse("--before needs --count");
  if (format !== "json" || input.option("out") !== undefined)
    return refuse("--count goes with --json, and not with --out");
  if (!/^[1-9]\d{0,5}$/.test(count)) return refuse(`"${count}" is not a number of messages`);
  if (before !== undefined && !/^\d{1,15}$/.test(before)) return refuse(`"${before}" is not a place`);
  return {
    count: Math.min(Number(count), limits.pageMostMessages),
    before: before === undefined ? null : Number(before),
  };
}

function placedJson({ place, ...said }: PlacedUtterance) {
  return { place, ...utteranceJson(said) };
}

function formatOf(input: Input): Format {
  const format = input.option("format") ?? (input.flag("json") ? "json" : "md");
  if (format === "md" || format === "json") return format;
  throw new UsageError(`"${format}" is not a format: md or json`, {
    hint: "hivemind sessions export --help",
  });
}

function outPath(input: Input): string | undefined {
  const typed = input.option("out");
  if (typed === undefined || isAbsolute(typed)) return typed;
  return resolve(currentWorkspace("give an absolute path: --out FILE").path, typed);
}

/** Writes one message at a time: a conversation may be larger than memory. Returns how many there were. */
async function exportTo(entry: AnySession, format: Format, write: (text: string) => void) {
  const { readConversation } = await import("../../fleet/sessions/conversation.js");
  let count = 0;
  // An unreadable session writes nothing, not even the head.
  const begin = () => write(format === "md" ? markdownHead(entry) : jsonHead(entry));
  const skippedLines = readConversation(entry, (message) => {
    if (count++ === 0) begin();
    if (format === "md") write(markdownOf(message, count));
    else write(`${count > 1 ? "," : ""}\n${jsonText(utteranceJson(message))}`);
  });
  if (count === 0) begin();
  if (format === "json") write("\n]}\n");
  return { messages: count - skippedLines, skippedLines };
}

function jsonHead(entry: AnySession): string {
  return `{"version":1,"session":${jsonText(sessionFacts(entry))},"messages":[`;
}

function sessionFacts(entry: AnySession) {
  const { id, agent, title, workspace, model, path, updatedAtMs } = entry;
  const cwd = workspace?.path ?? null;
  return { id, agent, title, cwd, model, path, updatedAt: timeOf(updatedAtMs) };
}

function save(path: string, bytes: Buffer): void {
  try {
    // A missing folder is probably a typing error, so it is not created.
    statSync(dirname(path));
    if (createFile(path, bytes)) return;
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof FileRefused)) throw error;
    throw new HiveError(`could not write ${path}: ${(error as Error).message}`, { cause: error });
  }
  throw new HiveError(`${path} already exists`, { hint: "choose another file name" });
}
