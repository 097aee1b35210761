// A message to the agents of other hosts: each gets mail of its own, with its own id and its own outcome.

import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import { roleOf } from "../../fleet/resolve.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { senderOf } from "../../hive/sender-of.js";
import { limits } from "../../limits.js";
import { farSpeaker, type Letter, mailOutcomes, openPostOffice } from "../../link/mail/post-mail.js";
import { type FleetRead, type HostState, hostIn, readFleet } from "../../link/read-fleet.js";
import { broadcast } from "../../messages/send.js";
import { type Sender, speakerOf, withSender } from "../../messages/sender.js";
import type { Host } from "../../names/gates.js";
import type { MailId } from "../../names/mail-id.js";
import { leaseNow } from "../../stores/link/lease-file.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";
import { personIn } from "../person.js";
import { textOf } from "../send/send-shared.js";
import { sinceText } from "./ages.js";
import { type Far, type FarName, withFar } from "./open-far.js";
import { hasTeam, type Meant, type Recipient, recipientsIn } from "./recipients.js";

/** One line of the result. */
interface Told {
  host: Host;
  role: string | null;
  pane: string | null;
  outcome: string;
  id: string | null;
  why: string | null;
}

/** Whom it is for, and the text for them as typed. */
type Plan = (far: Far, read: FleetRead) => Promise<{ meant: Meant; typed: string }>;

/** TEAM@HOST: the team of that name there. */
export function broadcastTeam(cli: Cli, input: Input, { name: team, host }: FarName, typed: string) {
  return broadcasting(cli, input, async ({ join }, read) => {
    hostIn(read.hosts, host, join.host);
    return { meant: { host, team }, typed };
  });
}

/** `--fleet`: every host, this one too. Only one team, if --team or the first word names a team of the fleet. */
export function broadcastFleet(cli: Cli, input: Input, words: readonly string[]): Promise<ExitCode> {
  return broadcasting(cli, input, async ({ hive }, read) => {
    const { panes } = await hive.panes();
    const isTeam = (name: string) => hasTeam(read, name) || panes.some((pane) => pane.sessionName === name);
    const named = input.option("team");
    const [first, rest] = words;
    if (named !== undefined && !isTeam(named))
      throw new HiveError(`no host of the fleet has a team "${shown(named)}"`, {
        hint: "hivemind status --fleet",
      });
    if (named !== undefined || !isTeam(first!))
      return { meant: { host: null, team: named ?? null }, typed: words.join(" ") };
    if (rest === undefined)
      throw new UsageError(`no text for ${shown(first)}`, {
        hint: `hivemind broadcast --fleet ${shown(first)} TEXT`,
      });
    return { meant: { host: null, team: first! }, typed: rest };
  });
}

async function broadcasting(cli: Cli, input: Input, plan: Plan): Promise<ExitCode> {
  const interrupted = cli.untilInterrupted();
  return withFar(cli, async (far) => {
    const { bus, join, hive } = far;
    const read = await readFleet(bus, leaseNow(hive.stores).serverNowMs);
    const { meant, typed } = await plan(far, read);
    const text = await textOf(typed);
    const sender = senderOf(hive, await hive.panes());
    // An agent of this host may not send what it may not send here.
    withSender(text, sender);
    const { agents, hosts } = recipientsIn(read, join.host, meant);
    cli.out.progress(`sending to ${counted(agents.length, "agent")} of other hosts`);
    const own = meant.host === null ? await tellOwn(far, sender, text, meant.team) : [];
    const by = farSpeaker(sender, personIn(cli.env));
    const told = await tellFar(cli, far, { agents, text, by, interrupted });
    cli.out.progress(null);
    return report(cli, input, meant, { told: [...own, ...told], hosts });
  });
}

/** The agents of this host, without the sender. */
async function tellOwn(
  { hive, join }: Far,
  sender: Sender | null,
  text: string,
  team: string | null,
): Promise<Told[]> {
  const seen = await hive.panes();
  const self = hive.ownPane(seen)?.id;
  const panes = seen.panes.filter(
    (pane) => isAgent(pane) && pane.id !== self && (team === null || pane.sessionName === team),
  );
  const told = await broadcast(hive, seen, panes, withSender(text, sender), speakerOf(sender));
  return told.map(({ pane, sent: { outcome, id, why } }) => ({
    ...{ host: join.host, role: roleOf(pane), pane: pane.address },
    ...{ outcome, id, why: why || null },
  }));
}

interface Post extends Pick<Letter, "text" | "by"> {
  agents: readonly Recipient[];
  interrupted: AbortSignal;
}

async function tellFar(
  { out }: Cli,
  { bus, join, hive }: Far,
  { agents, interrupted, ...words }: Post,
): Promise<Told[]> {
  if (agents.length === 0) return [];
  const office = await openPostOffice({ bus, join, hive, say: out.note, interrupted });
  try {
    const posted: { agent: Recipient; id: MailId | null; failure: string | null }[] = [];
    for (const agent of agents) {
      const { to, host } = agent;
      // Mail that could not be posted does not stop the rest.
      const id = await office.post({ to, host, ...words, isAwaited: false }).catch((error: unknown) => {
        if (error instanceof HiveError) return error;
        throw error;
      });
      const isPosted = typeof id === "string";
      posted.push({ agent, id: isPosted ? id : null, failure: isPosted ? null : id.message });
    }
    const endMs = performance.now() + limits.firstFateMs;
    const told: Told[] = [];
    for (const { agent, id, failure } of posted) {
      const leftMs = Math.max(0, endMs - performance.now());
      const fate = id === null ? null : await office.heard(id, ({ step }) => step !== "queued", leftMs);
      const { host, role, pane } = agent;
      const outcome = failure === null ? mailOutcomes[fate?.step ?? "sent"] : "uncertain";
      told.push({ host, role, pane, outcome, id, why: failure ?? (fate?.detail || null) });
    }
    return told;
  } finally {
    await office.close();
  }
}

function report(
  { out }: Cli,
  input: Input,
  { team, host }: Meant,
  { told, hosts }: { told: readonly Told[]; hosts: readonly HostState[] },
): ExitCode {
  const whyNot = ({ isReached, ageMs }: HostState) =>
    isReached ? null : `not reached ${sinceText(ageMs)}; nothing was sent there`;
  if (told.length === 0 && hosts.every(({ isReached }) => isReached))
    throw new HiveError(
      `${team === null ? "the fleet" : `${shown(team)}${host === null ? "" : `@${host}`}`} has no agent to send to`,
      {
        hint: "see what runs: hivemind status --fleet",
      },
    );
  if (input.flag("json")) {
    const rows = hosts.map((each) => ({
      ...{ host: each.host, reached: each.isReached, why: whyNot(each), ageMs: each.ageMs },
    }));
    out.json({ team, hosts: rows, agents: told });
  } else {
    const cells = told.map((each) => [
      `${shown(each.role ?? each.pane)}@${each.host}`,
      `${words[each.outcome] ?? each.outcome}${each.why === null || each.outcome === "delivered" ? "" : `: ${shown(each.why)}`}`,
    ]);
    const gone = hosts.flatMap((each) => (each.isReached ? [] : [[each.host, whyNot(each)!]]));
    out.lines(textTable([["AGENT", "OUTCOME"], ...cells, ...gone]));
  }
  return worst(told, hosts);
}

const words: Readonly<Record<string, string>> = {
  sent: "in the mail; its host has said nothing yet",
  uncertain: "sent, but not confirmed",
};

function worst(told: readonly Told[], hosts: readonly HostState[]): ExitCode {
  const met = new Set(told.map(({ outcome }) => outcome));
  const waiting = ["queued", "sent"];
  const fine = ["delivered", "held", ...waiting];
  if ([...met].some((outcome) => !fine.includes(outcome)) || hosts.some(({ isReached }) => !isReached))
    return exitCodes.refused;
  if (met.has("held")) return exitCodes.held;
  return waiting.some((outcome) => met.has(outcome)) ? exitCodes.queued : exitCodes.done;
}
