// Keeps the copies of teams on the fleet's server up to date.
//
// [RP2] A team is published after its transcripts: whoever reads it finds all bytes that it names.

import { statSync } from "node:fs";
import { type Contents, contentsOf, manifestOf, textFile } from "../../hosts/pack.js";
import { limits } from "../../limits.js";
import type { Host, SessionId, TeamName } from "../../names/gates.js";
import type { Bucket } from "../../nats/bus.js";
import type { Stores } from "../../stores/stores.js";
import type { BundleFile } from "../../stores/text/bundle.js";
import { unword, word } from "../subjects.js";
import type { Copier } from "./copier.js";
import { formatFarTeam } from "./far-team.js";
import { teamKey } from "./read-teams.js";

export interface TeamCopies {
  /** Copies what changed. Resolves to what is left out, for people. */
  follow(team: TeamName, room: Room, stopped: AbortSignal): Promise<string[]>;
  /** A team that is not chosen any more is not offered any more. */
  keepOnly(teams: readonly TeamName[]): Promise<void>;
  /** The server failed: everything is looked at again. */
  forget(): void;
}

/** How much of a host's conversations may be copied. */
export interface Room {
  /** Null if this transcript may be copied too; otherwise why not. */
  take(session: SessionId, sizeBytes: number): string | null;
}

export interface CopyWorld {
  hive: { env: NodeJS.ProcessEnv; stores: Stores };
  host: Host;
  bucket: Bucket;
  copier: Copier;
}

/** What was published of a team. */
interface Known {
  /** Of the stores. */
  stamp: string;
  contents: Contents;
  /** Every conversation has a transcript. An agent that has said nothing yet has none. */
  isWhole: boolean;
  lookAgainAt: number;
  /** Of the transcripts; null before they are copied. */
  files: string | null;
  problems: string[];
}

export function openTeamCopies(world: CopyWorld): TeamCopies {
  const { hive, host, bucket, copier } = world;
  const published = new Map<TeamName, Known>();
  let isSwept = false;
  let checkedAt = performance.now();

  async function dropForgotten(): Promise<void> {
    if (performance.now() - checkedAt < limits.copyCheckMs) return;
    checkedAt = performance.now();
    if (await copier.check()) published.clear();
  }

  return {
    async follow(team, room, stopped) {
      await dropForgotten();
      const known = contentsNow(hive, team, published.get(team));
      const files = stampOf(known.contents.transcripts.map(({ from }) => from));
      if (known.files === files) {
        for (const { id, from } of known.contents.transcripts) room.take(id, sizeOf(from));
        return known.problems;
      }
      const problems = await publish(world, team, known.contents, room, stopped);
      published.set(team, { ...known, files, problems });
      return problems;
    },
    async keepOnly(teams) {
      const isGone = [...published.keys()].some((team) => !teams.includes(team));
      if (isSwept && !isGone) return;
      for (const { key } of await bucket.all(`${word(host)}.*`)) {
        const team = unword(key.slice(key.indexOf(".") + 1)) as TeamName;
        if (!teams.includes(team)) await bucket.remove(key);
      }
      for (const team of [...published.keys()]) if (!teams.includes(team)) published.delete(team);
      isSwept = true;
    },
    forget() {
      published.clear();
      copier.forget();
    },
  };
}

export function openRoom(): Room {
  let all = 0;
  return {
    take(session, sizeBytes) {
      if (sizeBytes > limits.offlineBytes) return `session ${session} is too large: ${sizeBytes} bytes`;
      if (all + sizeBytes > limits.copyHostBytes)
        return `session ${session} is left out: this host copies ${limits.copyHostBytes} bytes at most`;
      all += sizeBytes;
      return null;
    },
  };
}

/** The stores are read again only after a change: a long log of lineage takes a while. */
function contentsNow(hive: CopyWorld["hive"], team: TeamName, known: Known | undefined): Known {
  const stamp = storeStamp(hive.stores);
  const isCurrent = known?.stamp === stamp && (known.isWhole || performance.now() < known.lookAgainAt);
  if (isCurrent) return known;
  const contents = contentsOf(hive, { teams: [team] });
  return {
    ...{ stamp, contents, files: null, problems: [] },
    isWhole: contents.transcripts.length >= contents.sessions.size,
    lookAgainAt: performance.now() + limits.copyAgainMs,
  };
}

async function publish(
  { host, bucket, copier }: CopyWorld,
  team: TeamName,
  contents: Contents,
  room: Room,
  stopped: AbortSignal,
): Promise<string[]> {
  const { texts, transcripts } = contents;
  const files: BundleFile[] = [...texts].map(([path, text]) => textFile(path, text));
  const copies = new Map<SessionId, number>();
  const problems: string[] = [];
  for (const { id, path, from } of transcripts) {
    stopped.throwIfAborted();
    const why = room.take(id, sizeOf(from));
    if (why !== null) {
      problems.push(why);
      continue;
    }
    const { first, ...file } = await copier.follow(id, from);
    files.push({ path, ...file });
    if (first !== null) copies.set(id, first);
  }
  const page = manifestOf(contents, host, files);
  await bucket.put(teamKey(host, team), formatFarTeam({ page, texts, copies }));
  return problems;
}

/** Changes with every file that says what a team is. */
function storeStamp({ paths, snapshots }: Stores): string {
  return stampOf([paths.roster, paths.teams, paths.layoutFolder, snapshots.list()[0]?.path ?? "/"]);
}

function stampOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found === undefined ? path : `${path} ${found.ino} ${found.size} ${found.mtimeMs}`;
    })
    .join("\n");
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
