import { exitCodes, UsageError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import type { SessionHits } from "../../fleet/sessions/search.js";
import { limits } from "../../limits.js";
import { shortId } from "../../names/short-id.js";
import type { Command, Input } from "../command.js";
import { outputLost } from "../command.js";
import { farRead } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
import { byteBar, type Output, shown } from "../output.js";
import { noteProblems } from "../problems.js";
import { boundaryNote, boundaryOf } from "../workspace.js";
import { age, clipped } from "./cells.js";
import { allOption, knownSessions } from "./known.js";
import { timeOf } from "./session-json.js";
import { whoAndWhen } from "./show-facts.js";

export const sessionsSearch: Command = {
  words: "sessions search",
  about: "find a text in the conversations of this folder",
  args: [{ name: "text", about: "the text to find, literally", takesRest: true }],
  options: [
    allOption,
    { name: "limit", value: "n", about: `stop after N matches (default: ${limits.searchHits})` },
    fleetOption,
  ],
  examples: [
    "hivemind sessions search race condition",
    "hivemind sessions search --all 'const x = \"y\"'",
    "hivemind sessions search TODO --limit 100 --json",
    "hivemind sessions search TODO --fleet",
  ],
  get notes() {
    return `${searchNote}\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessionsSearch, null);
    if (typeof input === "number") return input;
    const { out } = cli;
    const text = input.need("text");
    const most = limitOf(input);
    checkQuery(text);
    const { here, inside, fleet, problems } = await knownSessions(cli, input);
    const { openQuery } = await import("../../transcripts/search/query.js");
    const { searchSessions } = await import("../../fleet/sessions/search.js");
    const isJson = input.flag("json");
    const query = openQuery(text);
    const signal = cli.untilInterrupted();
    const result = await searchSessions(inside, query, {
      most,
      perSession: limits.searchHitsPerSession,
      signal,
      onProgress: (progress) => out.progress(progressLine(progress)),
      onFound(found) {
        out.progress(null);
        if (!isJson) show(found, fleet.takenAtMs, here === null, out);
      },
    });
    out.progress(null);
    const count = result.found.reduce((sum, { hits }) => sum + hits.length, 0);
    if (isJson) {
      out.json({
        query: { text, isCaseSensitive: query.isCaseSensitive },
        workspace: boundaryOf(here),
        searched: { sessions: result.searched, of: inside.length },
        ended: result.ended,
        sessions: result.found.map(foundJson),
      });
    } else if (count === 0 && result.ended === null) {
      const place = here === null ? "any folder" : `${shown(here.path)} (fingerprint ${here.fingerprint})`;
      out.note(`hivemind: not found in ${inside.length} sessions of ${place}`);
      if (here !== null)
        out.note(`  in every folder: hivemind sessions search --all -- ${shown(shellWord(text))}`);
    }
    if (result.ended === "enough") out.note(`${count} matches; there may be more: --limit ${most * 2}`);
    // A reader that went away after the first matches is not an error.
    const isCutOff = result.ended === "interrupted" && signal.reason !== outputLost;
    if (isCutOff) {
      out.note(`hivemind: interrupted after ${result.searched} of ${inside.length} sessions`);
    }
    const code = noteProblems([...problems, ...result.problems], count === 0, out);
    return code ?? (count === 0 || isCutOff ? exitCodes.refused : undefined);
  },
};

const searchNote = `Searches messages, thinking, tool inputs and tool results, not the keys and ids of the file format.
Ignores case unless TEXT has a capital letter. Prints at most ${limits.searchHitsPerSession} matches per session. Exit code 1: not found.`;

function limitOf(input: Input): number {
  const typed = input.option("limit");
  if (typed === undefined) return limits.searchHits;
  if (/^[1-9]\d{0,5}$/.test(typed)) return Number(typed);
  throw new UsageError(`"${typed}" is not a number of matches`, {
    hint: "hivemind sessions search TEXT --limit 100",
  });
}

function checkQuery(text: string): void {
  if (text !== "" && text.length <= limits.searchQueryLength) return;
  throw new UsageError(`the text must have 1 to ${limits.searchQueryLength} characters`, {
    hint: "hivemind sessions search --help",
  });
}

function progressLine({ doneBytes, totalBytes }: { doneBytes: number; totalBytes: number }): string | null {
  return totalBytes < limits.progressFromBytes ? null : `searching ${byteBar(doneBytes, totalBytes)}`;
}

function show({ entry, hits, isCut }: SessionHits, nowMs: number, hasFolder: boolean, out: Output): void {
  const { colours } = out;
  const folder = hasFolder ? `  ${shown(entry.workspace?.path)}` : "";
  const facts = `${entry.agent}  ${age(entry.updatedAtMs, nowMs)} ago${folder}`;
  out.print(`${colours.bold(shortId(entry.id))}  ${colours.dim(facts)}  ${clipped(entry.title)}`);
  for (const { role, atMs, before, match, after } of hits) {
    const head = whoAndWhen({ role, atMs });
    const marked = colours.isColorSupported
      ? colours.bold(colours.yellow(shownText(match)))
      : shownText(match);
    out.print(`  ${colours.dim(head)}  ${shownText(before)}${marked}${shownText(after)}`);
  }
  if (isCut) out.print(colours.dim("  … and more in this session"));
}

/** Safe for a terminal; unlike `shown`, empty text stays empty. */
function shownText(text: string): string {
  return text === "" ? "" : shown(text);
}

function foundJson({ entry, hits, isCut }: SessionHits) {
  const { id, agent, title, workspace, path, updatedAtMs } = entry;
  return {
    ...{ id, agent, title, cwd: workspace?.path ?? null, fingerprint: workspace?.fingerprint ?? null, path },
    updatedAt: timeOf(updatedAtMs),
    isCut,
    hits: hits.map(({ atMs, ...hit }) => ({ ...hit, at: timeOf(atMs) })),
  };
}
