import { HiveError, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { momentRule, parseMoment } from "../../base/text/moment.js";
import { shellWord } from "../../base/text/shell-word.js";
import { localSeconds, utcSeconds } from "../../base/text/utc.js";
import { placesAt, type Stay, sessionAt, type Unknown } from "../../fleet/lineage/history.js";
import { historyNamed, type NamedHistory, stayRow } from "../../fleet/lineage/history-named.js";
import type { PaneAddress } from "../../names/gates.js";
import type { Command } from "../command.js";
import { farRead } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
import { nearLines, stayLines, whyUnknown } from "./show-history.js";

export const history: Command = {
  words: "history",
  about: "which session was in a pane when, and vice versa",
  args: [
    {
      name: "ref",
      about: "a pane (address or %id), an agent (role or @id), or a session (id or its first 8 digits)",
      meaning: "pane",
      host: "taken",
    },
  ],
  options: [
    { name: "at", value: "time", about: "print only the session (or pane) at that time" },
    { name: "explain", about: "with --at: print the evidence for the answer" },
    fleetOption,
  ],
  examples: [
    "hivemind history web4team:0.1",
    "hivemind history web4-po --at 2h",
    "hivemind history 15533422 --at 08:52",
    "hivemind history web4team:0.1 --at 2026-04-22T08:52:40Z --json",
    "hivemind history tester@server",
  ],
  notes:
    `TIME: ${momentRule}.\n` +
    "Sources: the event log, refreshes (look), hooks, and what runs now. An agent is followed when its pane moves.\n" +
    "hivemind does not guess: if nothing was recorded for that time, --at prints the reason on stderr and exits with 1.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, history, "ref");
    if (typeof input === "number") return input;
    const { hive, out } = cli;
    const moment = input.option("at");
    const atMs = moment === undefined ? null : momentOf(moment);
    const ref = input.need("ref");
    const asked = await historyNamed(await hive(), ref);
    const { pane, session, stays } = asked;
    if (atMs === null) {
      if (input.flag("json")) out.json({ pane, session, stays: stays.map(stayRow) });
      else out.table(stayLines(stays, out.colours));
      return undefined;
    }
    const found = answersAt(asked, ref, atMs);
    if (input.flag("json")) {
      const answers = found.map(({ stay, address }) => ({ ...stayRow(stay), pane: address }));
      out.json({ pane, session, at: utcSeconds(atMs), answers });
    } else for (const { stay, address } of found) out.print(session === null ? stay.session : address!);
    if (input.flag("explain")) for (const line of nearLines(found.map(({ stay }) => stay))) out.note(line);
    return undefined;
  },
};

/** Each stay with the address of its pane at that time, if known. Throws if the answer is not known. */
function answersAt(
  { session, stays }: NamedHistory,
  ref: string,
  atMs: number,
): { stay: Stay; address: PaneAddress | null }[] {
  if (session === null) {
    const found = sessionAt(stays, atMs);
    if ("unknown" in found) throw notKnown(`which session was in ${ref}`, atMs, found, ref);
    const places = placesAt([found.known], atMs);
    return [{ stay: found.known, address: "known" in places ? places.known[0]!.address : null }];
  }
  const found = placesAt(stays, atMs);
  if ("unknown" in found) throw notKnown(`where ${session} was`, atMs, found, session);
  return found.known.map((seen) => ({
    stay: stays.find(({ places }) => places.includes(seen))!,
    address: seen.address,
  }));
}

function notKnown(what: string, atMs: number, unknown: Unknown, ref: string): HiveError {
  return new HiveError(`unknown ${what} at ${localSeconds(atMs)}: ${whyUnknown(unknown)}`, {
    hint: `the whole record: hivemind history ${shellWord(ref)}`,
  });
}

function momentOf(typed: string): number {
  const atMs = parseMoment(typed, Date.now());
  if (atMs !== null) return atMs;
  throw new UsageError(`"${harmless(typed.slice(0, 40))}" is not a time in the past`, { hint: momentRule });
}
