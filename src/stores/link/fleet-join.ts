// How this host joined its fleet, and what hosts of the fleet may do here. Secrets are files of their own.
//
// [FJ1] A file that others can read or write holds no secret: it is refused.

import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import {
  FileRefused,
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
} from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { type Host, hostName, isTeamName, type TeamName } from "../../names/gates.js";
import { guard, type Report } from "../file/error.js";
import { rowFile } from "../file/row-file.js";
import type { RowFormat } from "../file/row-lines.js";

/** What far hosts may do here. All of it is off until a person allows it. */
export const allowances = ["approve", "text", "user", "start"] as const;
export type Allowance = (typeof allowances)[number];

/** What the server lets a host do. `reader` may look and ask questions that read. `quiet` does all but act far away. */
export const standings = ["member", "quiet", "reader"] as const;
export type Standing = (typeof standings)[number];

export type JoinRow =
  | { what: "host" | "server" | "user" | "fingerprint"; value: string }
  | { what: "standing"; value: Standing }
  | { what: "allow"; value: Allowance; from: Host | "*" }
  /** The conversations of this team, or of all, are copied to the fleet's server. */
  | { what: "replicate"; value: TeamName | "*" };

export type Secret = "password" | "credentials" | "authorities";

export function openFleetJoin(paths: { fleetJoin: string; fleetFolder: string }, report?: Report) {
  const { fleetFolder: folder } = paths;
  const file = rowFile(paths.fleetJoin, joinFormat, report);
  const at = (secret: Secret) => join(folder, secretFiles[secret]);
  return {
    ...file,
    folder,
    secretPath: at,
    /** Null if there is none. */
    secret: (secret: Secret): Buffer | null =>
      guard(at(secret), () => {
        refuseLinkedFolder(folder);
        const stat = lstatSync(at(secret), { throwIfNoEntry: false });
        if (stat === undefined) return null;
        const why = whyForeign(stat);
        if (why !== null) throw new FileRefused(why);
        return readBytes(at(secret), limits.secretBytes);
      }),
    /** Null removes it. */
    keepSecret: (secret: Secret, bytes: Uint8Array | string | null): void =>
      guard(at(secret), () => {
        refuseLinkedFolder(folder);
        if (bytes === null) return void removeFile(at(secret));
        makeFolder(folder);
        replaceFile(at(secret), bytes);
      }),
  };
}

const secretFiles: Readonly<Record<Secret, string>> = {
  password: "password",
  credentials: "host.creds",
  authorities: "server.pem",
};

function whyForeign({ uid, mode }: Stats): string | null {
  if (uid !== process.getuid?.()) return "it belongs to another user";
  return (mode & 0o077) === 0 ? null : "others can read it: chmod go-rwx";
}

/** One node of a server. */
export function isServerUrl(text: string): boolean {
  return /^(?:nats|tls):\/\/(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(text);
}

const rule =
  "a row is host|NAME, server|nats://ADDRESS:PORT, user|NAME, fingerprint|SHA-256, standing|WORD, allow|WHAT|HOST (* is every host), or replicate|TEAM (* is every team)";

const forms: Readonly<Record<"host" | "server" | "user" | "fingerprint", (text: string) => boolean>> = {
  host: isHostName,
  server: isServerUrl,
  user: (text) => /^[\w.=-]{1,200}$/.test(text),
  fingerprint: (text) => /^[0-9a-f]{64}$/.test(text),
};

const joinFormat: RowFormat<JoinRow> = {
  rule,
  parse(line) {
    const [what = "", value = "", from, ...more] = line.split("|");
    if (more.length > 0) return rule;
    if (what === "allow" && isAllowance(value) && from !== undefined && (from === "*" || isHostName(from)))
      return { what, value, from: from as Host | "*" };
    if (what === "replicate" && from === undefined && (value === "*" || isTeamName(value)))
      return { what, value };
    if (what === "standing" && from === undefined && isStanding(value)) return { what, value };
    return isPlain(what) && from === undefined && forms[what](value) ? { what, value } : rule;
  },
  format: (row) => [row.what, row.value, ...(row.what === "allow" ? [row.from] : [])].join("|"),
  // A fleet has several servers, several hosts may be allowed the same, and several teams are copied.
  key: (row) =>
    row.what === "allow"
      ? `${row.what}|${row.value}|${row.from}`
      : row.what === "server" || row.what === "replicate"
        ? `${row.what}|${row.value}`
        : row.what,
};

function isPlain(what: string): what is keyof typeof forms {
  return Object.hasOwn(forms, what);
}

export function isStanding(text: unknown): text is Standing {
  return (standings as readonly unknown[]).includes(text);
}

/** Whether this host only reads its fleet, as it joined. */
export function isReader(rows: readonly JoinRow[]): boolean {
  return rows.some(({ what, value }) => what === "standing" && value === "reader");
}

export function isAllowance(text: string): text is Allowance {
  return (allowances as readonly string[]).includes(text);
}

export function isHostName(text: string): text is Host {
  try {
    return hostName(text) === text;
  } catch {
    return false;
  }
}
