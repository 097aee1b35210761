// The teams that hosts copied to the fleet's server, and who went on with one of them.

import { HiveError } from "../../base/errors.js";
import { type Host, isTeamName, type SessionId, type TeamName } from "../../names/gates.js";
import type { Bus, Entry } from "../../nats/bus.js";
import { isHostName } from "../../stores/link/fleet-join.js";
import type { Fetch } from "../../stores/received.js";
import { readCount, rowIn } from "../rows.js";
import { buckets, streams, subjects, unword, word } from "../subjects.js";
import { readPart, unpackPart } from "./copy-form.js";
import { type FarTeam, readFarTeam, sessionOfFile, type Taken } from "./far-team.js";

export interface CopiedTeam {
  host: Host;
  team: TeamName;
  /** Null if this version cannot read it. */
  found: FarTeam | null;
  /** By the server's clock. */
  writtenAtMs: number;
}

export function teamKey(host: Host, team: TeamName): string {
  return `${word(host)}.${word(team)}`;
}

export function takenKey(by: Host, { host, team }: Pick<Taken, "host" | "team">): string {
  return `${word(by)}.taken.${word(host)}.${word(team)}`;
}

export async function copiedTeams(bus: Bus): Promise<CopiedTeam[]> {
  const entries = await (await bus.bucket(buckets.teams)).all("*.*");
  return entries.flatMap((entry) => copiedTeam(entry) ?? []).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Who went on with teams of this host; with the team, who went on with that one. */
export async function takenFrom(bus: Bus, host: Host, team?: TeamName): Promise<Taken[]> {
  const last = team === undefined ? "*" : word(team);
  const entries = await (await bus.bucket(buckets.teams)).all(`*.taken.${word(host)}.${last}`);
  return entries.flatMap((entry) => takenIn(entry) ?? []).sort((a, b) => a.atMs - b.atMs);
}

/** Fetches the files of a copied team; whoever keeps them compares the checksums. */
export function fetchCopies(bus: Bus, host: Host, { texts, copies }: FarTeam): Fetch {
  return async (wanted, put) => {
    for (const file of wanted) {
      const session = sessionOfFile(file.path);
      if (session === null) await put(file, once(texts.get(file.path) ?? ""));
      else
        await put(file, copyOf(bus, { host, session, first: copies.get(session) ?? null }, file.sizeBytes));
    }
  };
}

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

interface CopyPlace {
  host: Host;
  session: SessionId;
  /** Null for an empty transcript. */
  first: number | null;
}

async function* copyOf(
  bus: Bus,
  { host, session, first }: CopyPlace,
  sizeBytes: number,
): AsyncGenerator<Buffer> {
  let done = 0;
  const parts = first === null ? [] : bus.read(streams.copies, subjects.copy(host, session), first);
  for await (const stored of parts) {
    if (done >= sizeBytes) return;
    const part = readPart(stored);
    // After a try that failed, the same bytes may be there twice.
    if (part === null || part.first !== first || part.from !== done) continue;
    const bytes = unpackPart(part, stored.bytes);
    if (bytes === null) break;
    yield bytes.subarray(0, sizeBytes - done);
    done += bytes.length;
  }
  if (done < sizeBytes)
    throw new HiveError(`the copy of session ${session} on the fleet's server is not whole`, {
      hint: `it ends after ${done} of ${sizeBytes} bytes; if ${host} comes back, it copies it again`,
    });
}

function copiedTeam({ key, value, writtenAtMs }: Entry): CopiedTeam | null {
  const [host, team] = key.split(".").map(unword);
  if (!host || !team || !isHostName(host) || !isTeamName(team)) return null;
  return { host, team, found: readFarTeam(host, team, value), writtenAtMs };
}

function takenIn({ key, value, writtenAtMs }: Entry): Taken | null {
  const [by, , host, team] = key.split(".").map(unword);
  if (!by || !host || !team || !isHostName(by) || !isHostName(host) || !isTeamName(team)) return null;
  return { by, host, team, isFork: rowIn(value)?.isFork !== false, atMs: readCount(writtenAtMs) ?? 0 };
}

function nameOf({ host, team }: CopiedTeam): string {
  return `${host} ${team}`;
}
