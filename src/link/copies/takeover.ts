// Goes on with a team of a host that is not reached, from its copy on the fleet's server.
//
// [TO1] A conversation is continued as itself only if its host said that it does not run there: it gave its claim back,
//       and its last row of the agent shows it away or crashed. Otherwise it may still run, and it is continued as a fork.
// [TO2] One host at a time takes a team over, and a team that was taken over is not taken over again unasked.

import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { limits } from "../../limits.js";
import type { Host, SessionId, TeamName } from "../../names/gates.js";
import type { Bucket, Bus } from "../../nats/bus.js";
import type { Verdict } from "../claim-verdict.js";
import { readClaim } from "../claim-verdict.js";
import { type FarAgent, textOf } from "../rows.js";
import { buckets, word } from "../subjects.js";
import { judge, type Owner } from "../take-claim.js";
import { takenFrom, takenKey } from "./read-teams.js";

export interface Taking {
  bus: Bus;
  owner: Owner;
  host: Host;
  team: TeamName;
  /** Null if no worker of this host knows the server's clock. */
  serverNowMs: number | null;
}

/** Why these conversations are continued as forks; null if each is continued as itself. Pure. */
export function whyForks(
  host: Host,
  verdicts: ReadonlyMap<SessionId, Verdict>,
  agents: readonly FarAgent[],
): string | null {
  for (const [session, verdict] of verdicts) {
    if (verdict.kind === "held" || verdict.kind === "namesake")
      return `session ${session} is open on ${verdict.claim.host}`;
    if (verdict.kind === "unreached")
      return `${verdict.claim.host} did not say that ${session} has ended there`;
    if (verdict.kind === "unreadable") return `this version cannot read who has ${session} open`;
    const seen = agents.find((agent) => agent.host === host && agent.session === session);
    if (seen !== undefined && isRunning(seen)) return `${session} was last seen running on ${host}`;
  }
  return null;
}

function isRunning({ standing, activity }: FarAgent): boolean {
  return standing !== "away" && activity !== "crashed";
}

export async function verdictsOn(
  { bus, owner }: Pick<Taking, "bus" | "owner">,
  sessions: Iterable<SessionId>,
): Promise<Map<SessionId, Verdict>> {
  const open = { claims: await bus.bucket(buckets.claims), hosts: await bus.bucket(buckets.hosts) };
  const verdicts = new Map<SessionId, Verdict>();
  for (const session of sessions) verdicts.set(session, await judge(open, owner, session));
  return verdicts;
}

/** Runs `work` while no other host takes this team over. */
export async function whileTaking<T>(taking: Taking, work: () => Promise<T>): Promise<T> {
  const claims = await taking.bus.bucket(buckets.claims);
  const key = lockKey(taking);
  const revision = await lock(claims, key, taking);
  try {
    return await work();
  } finally {
    await claims.remove(key, revision).catch(() => {});
  }
}

/** Throws if another host went on with the team after its host copied it. */
export async function refuseTaken({ bus, owner, host, team }: Taking, copiedAtMs: number): Promise<void> {
  const last = (await takenFrom(bus, host, team)).findLast(
    ({ by, atMs }) => by !== owner.host && atMs > copiedAtMs,
  );
  if (last === undefined) return;
  throw new HiveError(`${last.by} has already gone on with ${team} of ${host}`, {
    hint: `look there: hivemind status --fleet; to do it here too: hivemind team takeover ${shellWord(`${team}@${host}`)} --again`,
  });
}

export async function recordTaken({ bus, owner, host, team }: Taking, isFork: boolean): Promise<void> {
  const teams = await bus.bucket(buckets.teams);
  await teams.put(takenKey(owner.host, { host, team }), textOf({ isFork }));
}

async function lock(
  claims: Bucket,
  key: string,
  { owner, host, team, serverNowMs }: Taking,
): Promise<number> {
  const value = textOf({ ...owner, host: word(owner.host), role: null, team });
  const created = await claims.create(key, value);
  if (created !== null) return created;
  const held = await claims.get(key);
  const other = held && readClaim(held.value)?.host;
  const isOld =
    held === null || other === owner.host || (serverNowMs ?? 0) - held.writtenAtMs > limits.takeoverMs;
  const taken = isOld
    ? await (held === null ? claims.create(key, value) : claims.update(key, value, held.revision))
    : null;
  if (taken !== null) return taken;
  throw new HiveError(`${other ?? "another host"} takes ${team} of ${host} over right now`, {
    hint: "hivemind status --fleet",
  });
}

/** Beside the claims of conversations: no session has such a name. */
function lockKey({ host, team }: Taking): string {
  return word(`takeover ${host} ${team}`);
}
