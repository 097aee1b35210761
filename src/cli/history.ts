import { HiveError, UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { momentRule, parseMoment } from "../base/moment.js";
import { shellWord } from "../base/shell-word.js";
import { utcSeconds } from "../base/utc.js";
import {
  placesAt,
  type Stay,
  sessionAt,
  staysAt,
  staysOf,
  staysWith,
  type Unknown,
} from "../fleet/history.js";
import { livesOf } from "../fleet/history-lives.js";
import { addPresent } from "../fleet/history-now.js";
import { hasIdForm, sessionNamed } from "../fleet/session-ref.js";
import type { Hive } from "../hive.js";
import { isPaneAddress, type PaneAddress, paneAddress, type SessionId } from "../names/gates.js";
import type { Command } from "./command.js";
import { nearLines, stayLines, stayRow, whyUnknown } from "./show-history.js";

export const history: Command = {
  words: "history",
  about: "which session was in a pane at that time, and where a session was when",
  args: [
    {
      name: "ref",
      about: "a pane (address, %id or role), or a session: its id or the first 8 digits",
      meaning: "pane",
    },
  ],
  options: [
    { name: "at", value: "time", about: "only for that time: the session's uuid, or its pane's address" },
    { name: "explain", about: "with --at: say what the answer rests on" },
  ],
  examples: [
    "hivemind history web4team:0.1",
    "hivemind history web4-po --at 2h",
    "hivemind history 15533422 --at 08:52",
    "hivemind history web4team:0.1 --at 2026-04-22T08:52:40Z --json",
  ],
  notes:
    `TIME: ${momentRule}.\n` +
    "From the event log, refreshes (look), hooks, and what runs now. A pane is followed through its moves. What was not\n" +
    "seen is not guessed: --at then prints nothing, says why on stderr, and the exit code is 1.",
  hasJson: true,
  async run({ hive, out }, input) {
    const typed = input.option("at");
    const atMs = typed === undefined ? null : momentOf(typed);
    const asked = await look(await hive(), input.need("ref"));
    const { pane, session, stays } = asked;
    if (atMs === null) {
      if (input.flag("json")) out.json({ pane, session, stays: stays.map(stayRow) });
      else out.table(stayLines(stays, out.colours));
      return undefined;
    }
    const found = answersAt(asked, atMs);
    if (input.flag("json")) {
      const answers = found.map(({ stay, address }) => ({ ...stayRow(stay), pane: address }));
      out.json({ pane, session, at: utcSeconds(atMs), answers });
    } else for (const { stay, address } of found) out.print(session === null ? stay.session : address!);
    if (input.flag("explain")) for (const line of nearLines(found.map(({ stay }) => stay))) out.note(line);
    return undefined;
  },
};

interface Asked {
  /** One of them is what was asked for; the other is null. */
  pane: PaneAddress | null;
  session: SessionId | null;
  /** Never empty. */
  stays: readonly Stay[];
}

async function look(hive: Hive, ref: string): Promise<Asked> {
  const fleet = await hive.observe();
  const { events, forks, hookReports } = hive.stores;
  const lives = livesOf(events.read().rows, forks.scan());
  const present = addPresent(lives, fleet, hookReports.read().reports);
  if (hasIdForm(ref)) {
    const known = new Set(
      lives.all.flatMap(({ sightings }) => sightings.flatMap((each) => each.session ?? [])),
    );
    const session = sessionNamed(ref, known, fleet, (typed) => hive.paneNamed(fleet, typed));
    return { pane: null, session, stays: staysWith(lives, session) };
  }
  if (ref.includes(":")) {
    const pane = paneAddress(ref);
    const stays = staysAt(lives, pane);
    if (stays.length > 0) return { pane, session: null, stays };
    throw new HiveError(`nothing is recorded of ${pane}`, { hint: "see what is there: hivemind status" });
  }
  const { id, address: pane } = hive.paneNamed(fleet, ref);
  const life = present.get(id);
  const stays = life === undefined ? [] : staysOf(life);
  if (stays.length > 0) return { pane, session: null, stays };
  throw new HiveError(`nothing is recorded of pane ${id}, at ${harmless(pane)}`, {
    hint: isPaneAddress(pane)
      ? `who was in that place before: hivemind history ${pane}`
      : "see what is there: hivemind status",
  });
}

/** Each with where its pane stood then, where that is known. What is not known is refused. */
function answersAt(
  { pane, session, stays }: Asked,
  atMs: number,
): { stay: Stay; address: PaneAddress | null }[] {
  if (session === null) {
    const found = sessionAt(stays, atMs);
    if ("unknown" in found) throw notKnown(`which session was in ${pane}`, atMs, found, pane!);
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
  return new HiveError(`it is not known ${what} at ${utcSeconds(atMs)}: ${whyUnknown(unknown)}`, {
    hint: `all that was seen: hivemind history ${shellWord(ref)}`,
  });
}

function momentOf(typed: string): number {
  const atMs = parseMoment(typed, Date.now());
  if (atMs !== null) return atMs;
  throw new UsageError(`"${harmless(typed.slice(0, 40))}" is no time that was`, { hint: momentRule });
}
