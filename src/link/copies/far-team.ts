// A team on the fleet's server as its host last saved it: a bundle without its transcripts, which are copied apart. Pure.
//
// [FM1] A team of another host is foreign text: its manifest passes the gates of a bundle, its host is that of its key,
//       and a file counts only with the checksum of the manifest.

import { gunzipSync, gzipSync } from "node:zlib";
import { HiveError } from "../../base/errors.js";
import { jsonObject } from "../../base/text/json-object.js";
import { limits } from "../../limits.js";
import { type Host, isUuid, type SessionId, type TeamName } from "../../names/gates.js";
import { type Manifest, readManifest } from "../../stores/text/bundle.js";
import { readCount } from "../rows.js";

export interface FarTeam {
  page: Manifest;
  /** The small files, by their path. */
  texts: ReadonlyMap<string, string>;
  /** Where the copy of each transcript begins. */
  copies: ReadonlyMap<SessionId, number>;
}

export function formatFarTeam({ page, texts, copies }: FarTeam): Uint8Array {
  const row = { v: 1, page, texts: Object.fromEntries(texts), copies: Object.fromEntries(copies) };
  const bytes = gzipSync(JSON.stringify(row));
  if (bytes.length <= limits.farTeamPackedBytes) return bytes;
  throw new HiveError(`${page.teams.join(", ")} is too large for the fleet's server: ${bytes.length} bytes`, {
    hint: "its rows in hivemind.forks.env are most of it",
  });
}

/** Null for what is no team. */
export function readFarTeam(host: Host, team: string, bytes: Uint8Array): FarTeam | null {
  const row = unpacked(bytes);
  if (row?.v !== 1) return null;
  try {
    const page = { ...readManifest(row.page), host };
    const [own, ...others] = page.teams;
    if (own !== team || others.length > 0) return null;
    const texts = Object.entries((row.texts ?? {}) as Record<string, unknown>);
    const copies = Object.entries((row.copies ?? {}) as Record<string, unknown>);
    return {
      page,
      texts: new Map(texts.filter((each): each is [string, string] => typeof each[1] === "string")),
      copies: new Map(
        copies.flatMap(([id, first]) =>
          isUuid(id) && readCount(first) !== null ? [[id as SessionId, readCount(first)!] as const] : [],
        ),
      ),
    };
  } catch (error) {
    if (error instanceof HiveError) return null;
    throw error;
  }
}

/** The transcript that this file of a bundle is; null for the others. */
export function sessionOfFile(path: string): SessionId | null {
  return (/^projects\/[^/]+\/([^/]+)\.jsonl$/.exec(path)?.[1] ?? null) as SessionId | null;
}

/** Another host went on with a team. */
export interface Taken {
  by: Host;
  host: Host;
  team: TeamName;
  isFork: boolean;
  /** By the server's clock. */
  atMs: number;
}

function unpacked(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    return jsonObject(gunzipSync(bytes, { maxOutputLength: limits.farTeamBytes }).toString("utf8"));
  } catch {
    return null;
  }
}
