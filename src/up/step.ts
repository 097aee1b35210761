// Decides what to do with one agent, and why. Pure.
//
// - An agent is restarted only if its start settings changed, and the step has the reason.
// - `up` ends no agent, except for a fresh start; it only reports differences.
// - An ended agent comes back in its own pane.
// - An agent never replaces another program with its name, an agent of another project, or the pane of this command.
// - What a person runs in a shell of the file is theirs: an existing shell is kept.

import { agentOfKind } from "../agents/all.js";
import type { ExitCode } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import { activityOf } from "../fleet/activity/activity.js";
import { transcriptOfPane } from "../fleet/identity/pane-transcript.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, PaneId, Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { isFreePane } from "../teams/snapshot/place-rows.js";
import { type Adopts, launchSeen } from "./adopt.js";
import { type AgentPane, type AgentPanes, isStarted, type LeftSeat } from "./agent-panes.js";
import { assumedLaunch, differences } from "./launch.js";
import {
  isRefusal,
  type Opening,
  type Wanted,
  type WantedFacts,
  type Wishes,
  wantedAgent,
} from "./wanted.js";

/**
 * `up` starts agents that do not run. `reload` also restarts agents that differ and ends agents gone from the file.
 */
export type Mode = "up" | "reload";

export type Deed = "add" | "heal" | "change" | "remove" | "adopt" | "keep" | "refuse";

export interface Step {
  do: Deed;
  agent: Role;
  /** Its id in the roster; null for a new agent. */
  agentId: AgentId | null;
  /** Its pane; null if it is not made yet. */
  pane: PaneId | null;
  address: PaneAddress | null;
  session: SessionId | null;
  /** The reason, for people. */
  why: string;
  /** Further notes for people. */
  remarks: readonly string[];
  hint: string | null;
  /** For a refusal with another code than 1. */
  exitCode?: ExitCode;
  /** What to start, or null. */
  start: Start | null;
  /** The conversation that this step takes over, and how its agent was started. */
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
  if (seat === null) return absentStep(file, wanted, facts.seats);
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
      return refused(seat, wanted, taken, `end it, or use another name: hivemind agent kill ${address}`);
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
    `${address} is ${agent.id}, but runs ${what}`,
    `end it: hivemind agent kill ${address}`,
  );
}

/** For an agent without a pane here. */
function absentStep({ team }: TeamFile, wanted: Wanted, { absent, otherServer }: AgentPanes): Step {
  const found = absent(wanted.agent.id);
  const agentId = found?.agent.id ?? null;
  if (found?.isElsewhere === true) {
    const { address } = found.agent;
    const why = `runs on another tmux server${address === null ? "" : `, in ${address}`}`;
    return { ...plainStep(null, wanted, "keep", why, [why]), agentId };
  }
  if (otherServer === null) return { ...starting(null, wanted, "add", howItBegins(wanted.opening)), agentId };
  const hint = `start it on that server: tmux -S ${shellWord(otherServer)} attach -t ${shellWord(`=${team}`)}`;
  return { ...refused(null, wanted, `${team} runs on another tmux server`, hint), agentId };
}

/** For a pane with an agent's name. */
export function notOurs(address: PaneAddress, project: string): string {
  return `${harmless(address)} has its name but was started by the project ${project}`;
}

/** For a pane that this project started for an agent that is no longer in its file. */
export function leftStep(
  { project }: TeamFile,
  { pane, agent: { id: agentId }, launch, isRunning }: LeftSeat,
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
    agentId,
    pane: pane.id,
    address: pane.address,
    session,
    hint: null,
    start: null,
    adopts: null,
  };
  const why = "no longer in the file";
  if (mode === "reload" && pane.id !== own) return { ...step, do: "remove", why, remarks: stays };
  const remarks = [`${why} (hivemind reload removes it)`, ...stays];
  return { ...step, do: "keep", why: isRunning ? "runs" : "exists", remarks };
}

function runningStep(seat: AgentPane, wanted: Wanted, { anew, own }: Wishes, mode: Mode): Step {
  const { agent, launch } = wanted;
  const was = seat.launch ?? assumedLaunch(seat.pane, launch, agent.args);
  const changed = differences(was, launch).join("; ");
  const isPromptNew = launch.prompt !== null && was.prompt !== null && was.prompt !== launch.prompt;
  const prompt = isPromptNew
    ? [`its role prompt changed, which only affects a new conversation (hivemind up ${agent.id} --fresh)`]
    : [];
  const why = anew.has(agent.id) ? "starts fresh" : mode === "reload" ? changed : "";
  if (why === "") {
    const differs = changed === "" ? [] : [`differs: ${changed} (hivemind reload ${agent.id})`];
    return plainStep(seat, wanted, "keep", "runs", [...differs, ...prompt]);
  }
  if (seat.pane.id === own)
    return refused(
      seat,
      wanted,
      "this command runs in its pane and would end with it",
      "run it in another pane",
    );
  return starting(seat, wanted, "change", why, prompt);
}

/** Ends nothing, not even for a fresh start: that is only for an agent of this project. */
function adoptStep(seat: AgentPane, wanted: Wanted, facts: WantedFacts, { anew }: Wishes): Step {
  const { opening, agent, session } = wanted;
  if (isRefusal(opening) && !anew.has(agent.id)) return { ...refused(seat, wanted, "", null), ...opening };
  const launch = launchSeen(seat, wanted, facts);
  const changed = differences(launch, wanted.launch).join("; ");
  const remarks = [
    ...(changed === "" ? [] : [`differs: ${changed} (hivemind reload ${agent.id})`]),
    ...(anew.has(agent.id) ? [`to start fresh: hivemind up ${agent.id} --fresh`] : []),
  ];
  const step = plainStep(
    seat,
    { ...wanted, isMoved: false },
    "adopt",
    "already runs; the file adopts it",
    remarks,
  );
  return { ...step, adopts: { uuid: session!, launch } };
}

function plainStep(
  seat: AgentPane | null,
  { agent, session, isMoved }: Wanted,
  deed: Deed,
  why: string,
  remarks: readonly string[],
): Step {
  const [pane, address] = [seat?.pane.id ?? null, seat?.pane.address ?? null];
  // A client that chooses its ids itself has never been in the derived one.
  const isDerived = agentOfKind(agent.kind)?.start?.make === undefined;
  const moved = isMoved && isDerived ? [`it moved on to ${session} and continues there`] : [];
  const notes = [...remarks, ...moved];
  const agentId = seat?.agent.id ?? null;
  const step = { do: deed, agent: agent.id, agentId, pane, address, session, why, remarks: notes };
  return { ...step, hint: null, start: null, adopts: null };
}

function refused(seat: AgentPane | null, wanted: Wanted, why: string, hint: string | null): Step {
  return { ...plainStep(seat, wanted, "refuse", why, []), hint };
}

function starting(
  seat: AgentPane | null,
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

/** The reason if another program runs under this name; null if it is the agent itself, as after a restore. */
function takenBy({ pane }: AgentPane, { session }: Wanted, { fleet }: WantedFacts): string | null {
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  if (uuid !== null && uuid === session) return null;
  return `${pane.address} has its name but is in ${uuid ?? "no known session"}: not started by this project`;
}

function howItBegins(opening: Wanted["opening"]): string {
  if (isRefusal(opening)) return "";
  const { session, isAnew, awaits } = opening;
  if (session === null) return "a shell";
  if (session.how === "resume") return "resumes its conversation";
  if (session.how === "create") return isAnew ? "starts fresh" : "starts a new conversation";
  return `starts as a fork of ${session.parent}${awaits === null ? "" : `, once ${awaits} has answered`}`;
}

function howItEnded({ pane }: AgentPane): string {
  const { activity, evidence } = activityOf(pane);
  return activity === "crashed" ? `it crashed: ${evidence[0]?.reason}` : "it ended";
}
