// Who may open a conversation, by its claim and the lease of the claim's host. Pure.
//
// [CL1] A conversation has one holder in the fleet: a claim is written only if nobody has written it since it was read.
// [CL2] Only the host of a claim gives it back. If that host is not reached, its program may run on, so nobody else
//       opens the conversation; a fork of it may be opened.

import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import { type Host, isRole, type Role, type SessionId } from "../names/gates.js";
import type { HostRow } from "./rows.js";
import { readCount, readText, rowIn } from "./rows.js";
import { unword } from "./subjects.js";

export interface ClaimRow {
  host: Host;
  instance: string;
  /** Of the lease under which it was written. */
  epoch: number | null;
  role: Role | null;
  team: string | null;
}

export interface Found {
  claim: ClaimRow | null;
  revision: number;
  writtenAtMs: number;
}

export type Verdict =
  | { kind: "free" }
  | { kind: "ours"; revision: number }
  | { kind: "held"; claim: ClaimRow }
  | { kind: "unreached"; claim: ClaimRow }
  /** Under our own name, by another config folder or machine. */
  | { kind: "namesake"; claim: ClaimRow }
  | { kind: "unreadable" };

export function verdictOn(
  found: Found | null,
  own: { host: Host; instance: string },
  /** The lease of the claim's host; null if it has none. */
  lease: Pick<HostRow, "instance"> | null,
): Verdict {
  if (found === null) return { kind: "free" };
  const { claim, revision } = found;
  if (claim === null) return { kind: "unreadable" };
  if (claim.host === own.host)
    return claim.instance === own.instance ? { kind: "ours", revision } : { kind: "namesake", claim };
  return lease?.instance === claim.instance ? { kind: "held", claim } : { kind: "unreached", claim };
}

/** Why the conversation may not be opened here, with what to type instead. */
export function refusal(session: SessionId, verdict: Exclude<Verdict, { kind: "free" | "ours" }>): HiveError {
  if (verdict.kind === "unreadable")
    return new HiveError(`the fleet has a claim on ${session} that this version cannot read`, {
      hint: "hivemind fleet doctor",
    });
  const { host, role, team } = verdict.claim;
  const who = role ?? team;
  const as = who === null ? "" : ` as ${who}`;
  const fork = `or continue it as a fork: hivemind sessions fork ${session}`;
  switch (verdict.kind) {
    case "held":
      return new HiveError(`session ${session} is open on ${host}${as}`, {
        hint:
          role === null
            ? `end it there, ${fork}`
            : `talk to it: hivemind send ${shellWord(`${role}@${host}`)} "…" – ${fork}`,
      });
    case "unreached":
      return new HiveError(
        `session ${session} was opened on ${host}${as}, which is not reached: it may still run there`,
        { hint: `start the watcher on ${host}: hivemind watch --background – ${fork}` },
      );
    case "namesake":
      return new HiveError(
        `session ${session} was opened by another config folder or machine that is also called ${host}`,
        { hint: "give one of them another name: hivemind fleet leave, then hivemind fleet join --host NAME" },
      );
  }
}

/** Null for what is no claim. */
export function readClaim(bytes: Uint8Array): ClaimRow | null {
  const row = rowIn(bytes);
  const host = typeof row?.host === "string" ? unword(row.host) : null;
  if (row === null || host === null || typeof row.instance !== "string") return null;
  return {
    host: (readText(host) ?? "?") as Host,
    instance: row.instance.slice(0, limits.farTextLength),
    epoch: readCount(row.epoch),
    role: typeof row.role === "string" && isRole(row.role) ? row.role : null,
    team: readText(row.team),
  };
}

/** A claim of this host, as its worker knows it. A command that starts the conversation again gives it a new revision. */
export interface OwnClaim {
  revision: number;
  writtenAtMs: number;
  /** The worker has seen the conversation open since this revision was written. */
  wasOpen: boolean;
}

/** What the worker does about claims after a look. */
export interface ClaimSteps {
  take: SessionId[];
  release: SessionId[];
}

/**
 * `open` runs here now, `ran` at the look before. What has just ended may be starting again, and what was claimed a
 * moment ago and never seen may be starting: both keep their claim for now.
 */
export function claimSteps(
  open: ReadonlySet<SessionId>,
  ran: ReadonlySet<SessionId>,
  own: ReadonlyMap<SessionId, OwnClaim>,
  serverNowMs: number,
): ClaimSteps {
  const isSettled = ({ wasOpen, writtenAtMs }: OwnClaim) =>
    wasOpen || serverNowMs - writtenAtMs >= limits.claimSettleMs;
  return {
    take: [...open].filter((session) => !own.has(session)),
    release: [...own].flatMap(([session, claim]) =>
      !open.has(session) && !ran.has(session) && isSettled(claim) ? [session] : [],
    ),
  };
}
