// What becomes of one agent, and why. Pure.
//
// [UP2] An agent is restarted only for what its start would change, and the reason is told. `up` ends nobody, but to begin
//       anew: what differs is said.
// [UP3] An ended agent comes back in its own pane.
// [UP5] An agent never takes the place of something else that runs under its name, of what another project started, nor of
//       who asks for all this. What a person runs in a shell of the file is theirs: a shell that is there is kept.

import type { ExitCode } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import { activityOf } from "../fleet/activity.js";
import { transcriptOfPane } from "../fleet/pane-transcript.js";
import type { PaneAddress, PaneId, Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { isFreePane } from "../teams/place-rows.js";
import { type Adopts, launchSeen } from "./adopt.js";
import { assumedLaunch, differences } from "./launch.js";
import { isStarted, type LeftSeat, type Seat } from "./seats.js";
import {
  isRefusal,
  type Opening,
  type Wanted,
  type WantedFacts,
  type Wishes,
  wantedAgent,
} from "./wanted.js";

/** `up` starts what does not run; `reload` also renews what differs and ends what is gone from the file. */
export type Mode = "up" | "reload";

export type Deed = "add" | "heal" | "change" | "remove" | "adopt" | "keep" | "refuse";

export interface Step {
  do: Deed;
  agent: Role;
  /** Its pane as it is; null where one is still to be made. */
  pane: PaneId | null;
  address: PaneAddress | null;
  session: SessionId | null;
  /** The reason, in words. */
  why: string;
  /** What else a person should know. */
  remarks: readonly string[];
  hint: string | null;
  /** Of a refusal, where it is not 1. */
  exitCode?: ExitCode;
  /** What is started; null where nothing is. */
  start: Start | null;
  /** The conversation that is taken over with this step, and how its agent was started. */
  adopts: Adopts | null;
}

export interface Start extends Opening {
  wanted: Wanted;
}

export function stepFor(
  file: TeamFile,
  agent: WantedAgent,
  facts: WantedFacts,
  wishes: Wishes,
  mode: Mode,
): Step {
  const seat = facts.seats.of(agent.id);
  const wanted = wantedAgent(file, agent, facts, wishes);
  if (seat === null) return starting(null, wanted, "add", howItBegins(wanted.opening));
  const { address, dead, command, sessionName } = seat.pane;
  if (seat.otherProject !== null) {
    const change = `give it another name or session in ${shellWord(file.path)}`;
    const hint = `${change}, or close that one: hivemind agent kill ${address}`;
    return refused(seat, wanted, notOurs(address, seat.otherProject), hint);
  }
  if (agent.kind === "shell" && seat.launch?.kind === "shell" && !isFreePane(seat.pane))
    return plainStep(seat, wanted, "keep", "runs", []);
  if (seat.isRunning) {
    const taken = isStarted(seat) ? null : takenBy(seat, wanted, facts);
    if (taken !== null)
      return refused(seat, wanted, taken, `end it, or name another: hivemind agent kill ${address}`);
    if (wanted.isAdopted) return adoptStep(seat, wanted, facts, wishes);
    if (sessionName === file.team) return runningStep(seat, wanted, wishes, mode);
    return plainStep(seat, wanted, "keep", `runs in ${harmless(address)}`, [`the file says ${file.team}`]);
  }
  if (dead) {
    const begins = howItBegins(wanted.opening);
    return starting(seat, wanted, "heal", `${howItEnded(seat)}${begins === "" ? "" : `; ${begins}`}`);
  }
  if (isFreePane(seat.pane)) return starting(seat, wanted, "add", howItBegins(wanted.opening));
  if (agent.kind === "shell") return plainStep(seat, wanted, "keep", "runs", []);
  const what = harmless(command) || "something else";
  return refused(
    seat,
    wanted,
    `${address} is ${agent.id}, and runs ${what}`,
    `end it: hivemind agent kill ${address}`,
  );
}

/** Of a pane that has an agent's name. */
export function notOurs(address: PaneAddress, project: string): string {
  return `${harmless(address)} has its name, and was started by the project ${project}`;
}

/** Of a pane that this project started, for an agent that its file does not have. */
export function leftStep(
  { project }: TeamFile,
  { pane, launch, isRunning }: LeftSeat,
  { fleet }: WantedFacts,
  { own }: Wishes,
  mode: Mode,
): Step {
  const { agent, kind, cwd } = launch;
  const found = fleet.sessions.get(pane.id)?.uuid ?? deriveSessionId(project, agent);
  const session = kind === "shell" ? null : found;
  const hook = fleet.hooks.claims.get(pane.id) ?? null;
  const path = session === null ? undefined : transcriptOfPane(fleet.index, session, pane, hook)?.path;
  const goOn = `cd ${shellWord(cwd)} && claude --resume ${session}`;
  const stays = path === undefined ? [] : [`its conversation stays: ${path} (${goOn})`];
  const step = {
    agent,
    pane: pane.id,
    address: pane.address,
    session,
    hint: null,
    start: null,
    adopts: null,
  };
  const why = "not in the file any more";
  if (mode === "reload" && pane.id !== own) return { ...step, do: "remove", why, remarks: stays };
  const remarks = [`${why} (hivemind reload takes it away)`, ...stays];
  return { ...step, do: "keep", why: isRunning ? "runs" : "is there", remarks };
}

function runningStep(seat: Seat, wanted: Wanted, { anew, own }: Wishes, mode: Mode): Step {
  const { agent, launch } = wanted;
  const was = seat.launch ?? assumedLaunch(seat.pane, launch, agent.args);
  const changed = differences(was, launch).join("; ");
  const isPromptNew = launch.prompt !== null && was.prompt !== null && was.prompt !== launch.prompt;
  const prompt = isPromptNew
    ? [`its role prompt changed: that is for a new conversation (hivemind up ${agent.id} --fresh)`]
    : [];
  const why = anew.has(agent.id) ? "begins anew" : mode === "reload" ? changed : "";
  if (why === "") {
    const differs = changed === "" ? [] : [`differs: ${changed} (hivemind reload ${agent.id})`];
    return plainStep(seat, wanted, "keep", "runs", [...differs, ...prompt]);
  }
  if (seat.pane.id === own)
    return refused(seat, wanted, `this runs in its pane, and would end with it`, "do it from another pane");
  return starting(seat, wanted, "change", why, prompt);
}

/** Nothing is ended, also not to begin anew: that is for an agent of this project. */
function adoptStep(seat: Seat, wanted: Wanted, facts: WantedFacts, { anew }: Wishes): Step {
  const { opening, agent, session } = wanted;
  if (isRefusal(opening) && !anew.has(agent.id)) return { ...refused(seat, wanted, "", null), ...opening };
  const launch = launchSeen(seat, wanted, facts);
  const changed = differences(launch, wanted.launch).join("; ");
  const remarks = [
    ...(changed === "" ? [] : [`differs: ${changed} (hivemind reload ${agent.id})`]),
    ...(anew.has(agent.id) ? [`to begin anew: hivemind up ${agent.id} --fresh`] : []),
  ];
  const step = plainStep(
    seat,
    { ...wanted, isMoved: false },
    "adopt",
    "runs, and becomes this file's",
    remarks,
  );
  return { ...step, adopts: { uuid: session!, launch } };
}

function plainStep(
  seat: Seat | null,
  { agent, session, isMoved }: Wanted,
  deed: Deed,
  why: string,
  remarks: readonly string[],
): Step {
  const [pane, address] = [seat?.pane.id ?? null, seat?.pane.address ?? null];
  const moved = isMoved ? [`it moved on to ${session}, and goes on there`] : [];
  const said = [...remarks, ...moved];
  const step = { do: deed, agent: agent.id, pane, address, session, why, remarks: said };
  return { ...step, hint: null, start: null, adopts: null };
}

function refused(seat: Seat | null, wanted: Wanted, why: string, hint: string | null): Step {
  return { ...plainStep(seat, wanted, "refuse", why, []), hint };
}

function starting(
  seat: Seat | null,
  wanted: Wanted,
  deed: Deed,
  why: string,
  remarks: readonly string[] = [],
): Step {
  const { opening } = wanted;
  if (isRefusal(opening)) return { ...plainStep(seat, wanted, "refuse", "", []), ...opening };
  const step = plainStep(seat, { ...wanted, isMoved: wanted.isMoved && !opening.isAnew }, deed, why, remarks);
  const adopts =
    wanted.isAdopted && !opening.isAnew ? { uuid: wanted.session!, launch: wanted.launch } : null;
  return { ...step, session: opening.session?.id ?? null, start: { ...opening, wanted }, adopts };
}

/** Under this name runs something that is not this agent; null when it is the agent all the same, as after a restore. */
function takenBy({ pane }: Seat, { session }: Wanted, { fleet }: WantedFacts): string | null {
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  if (uuid !== null && uuid === session) return null;
  return `${pane.address} has its name, and is in ${uuid ?? "no known session"}: not started by this project`;
}

function howItBegins(opening: Wanted["opening"]): string {
  if (isRefusal(opening)) return "";
  const { session, isAnew, awaits } = opening;
  if (session === null) return "a shell";
  if (session.how === "resume") return "goes on with its conversation";
  if (session.how === "create") return isAnew ? "begins anew" : "begins a conversation";
  return `begins as a fork of ${session.parent}${awaits === null ? "" : `, once ${awaits} has answered`}`;
}

function howItEnded({ pane }: Seat): string {
  const { activity, evidence } = activityOf(pane);
  return activity === "crashed" ? `it crashed: ${evidence[0]?.reason}` : "it ended";
}
