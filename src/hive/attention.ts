// Everything in the fleet that waits for a person, in one list: requests, dialogs, limits, errors, ended agents, and
// messages that hivemind cannot deliver.

import type { Asked } from "../agents/asked.js";
import type { Dialog } from "../agents/box.js";
import { isVague } from "../fleet/activity/activity.js";
import { type Reporter, reportersIn } from "../fleet/activity/reread.js";
import { reportFolders } from "../fleet/folders.js";
import { type Fleet, foldersOf } from "../fleet/observe.js";
import { openRequests } from "../fleet/requests.js";
import type { AgentView, BackgroundView, RequestView, TeamView } from "../fleet/view.js";
import { type LostMessage, lostMessages } from "../messages/lost-messages.js";
import { seeAll } from "../messages/see.js";
import type { AgentId } from "../names/agent-id.js";
import type { RequestId } from "../names/request-id.js";
import { lastSteps } from "../stores/receipts.js";
import { placesOf } from "../tmux/glance.js";
import type { Core } from "./core.js";
import { type FleetView, viewOf } from "./view-fleet.js";

/** Who waits. A conversation in the background has no pane. */
export interface Waiter {
  /** Its role, else its address, else its name in the client. */
  who: string;
  team: string | null;
  agent: AgentId | null;
  pane: string | null;
  paneId: string | null;
}

export type Attention = Waiter &
  (
    | { kind: "request"; request: RequestView & Pick<Asked, "lines"> }
    /** A dialog that no hook handed over. `rows` are what the pane shows, null if that could not be read. */
    | { kind: "dialog"; about: string | null; rows: readonly string[] | null }
    | { kind: "limited" | "error" | "crashed"; about: string | null; until: string | null }
    /** `text` is null if hivemind no longer has it. */
    | { kind: "message"; message: LostMessage; text: string | null }
  );

/** The fleet and the list of everything that needs a person, from one look. */
export interface Overview {
  fleet: FleetView;
  attention: Attention[];
  /** The agents that can be read again without a look, by the file in which they report. */
  reporters: ReadonlyMap<string, Reporter>;
  /** The folders in which agents report. */
  liveFolders: readonly string[];
  /** Which panes there were, for a glance. */
  places: string;
}

export async function overview(core: Core): Promise<Overview> {
  const fleet = await core.look();
  const view = await viewOf(core, fleet);
  return {
    fleet: view,
    attention: await attentionIn(core, fleet, view),
    reporters: reportersIn(fleet),
    liveFolders: reportFolders(foldersOf(core.world(), fleet)),
    places: placesOf(fleet.panes),
  };
}

async function attentionIn(core: Core, fleet: Fleet, view: FleetView): Promise<Attention[]> {
  const { stores, tmux } = core;
  const lost = lostMessages(lastSteps(stores.receipts.read().rows).values(), Date.now());
  const texts = new Map(
    [...new Set(lost.flatMap(({ agent }) => agent ?? []))].flatMap((agent) =>
      stores.queues.buried(agent).map(({ id, text }) => [id as string, text] as const),
    ),
  );
  const dialogs = await dialogsOf(tmux, fleet, view);
  const lines = new Map(openRequests(fleet).map(({ id, asked }) => [id, asked.lines]));
  return [...waitingIn(view, dialogs, lines), ...lostIn(lost, view, (id) => texts.get(id) ?? null)];
}

type Dialogs = ReadonlyMap<string, Dialog>;

/** One capture for all agents that wait without a request. */
async function dialogsOf(tmux: Core["tmux"], { panes }: Fleet, { teams }: FleetView): Promise<Dialogs> {
  const asking = new Set(
    teams.flatMap(({ agents }) => agents.filter(isInDialog).map(({ paneId }) => paneId)),
  );
  const sights =
    asking.size === 0
      ? []
      : await seeAll(
          tmux,
          panes.filter(({ id }) => asking.has(id)),
        );
  return new Map(sights.flatMap(({ pane, box }) => (box.kind === "dialog" ? [[pane.id, box] as const] : [])));
}

function isInDialog({ activity, requests }: AgentView): boolean {
  return activity === "waiting" && requests.length === 0;
}

/** Requests first, the oldest first; then what else holds an agent up. */
export function waitingIn(
  { teams, background }: FleetView,
  dialogs: Dialogs,
  lines: ReadonlyMap<RequestId, readonly string[]>,
): Attention[] {
  const whole = (request: RequestView) => ({ ...request, lines: lines.get(request.id) ?? [] });
  const agents = teams.flatMap((team) =>
    team.agents.map((agent) => ({ agent, waiter: waiterOf(team, agent) })),
  );
  const requests = [
    ...agents.flatMap(({ agent, waiter }) =>
      agent.requests.map((request) => ({ ...waiter, request: whole(request) })),
    ),
    ...background.flatMap((each) =>
      each.requests.map((request) => ({ ...inBackground(each), request: whole(request) })),
    ),
  ].map((each) => ({ ...each, kind: "request" as const }));
  return [
    ...requests.sort((a, b) => (a.request.since < b.request.since ? -1 : 1)),
    ...agents.flatMap(({ agent, waiter }) => heldUp(agent, waiter, dialogs)),
    ...background
      .filter(({ activity, requests }) => activity === "waiting" && requests.length === 0)
      .map((each) => ({
        ...inBackground(each),
        kind: "dialog" as const,
        about: each.waitingFor,
        rows: null,
      })),
  ];
}

function heldUp(agent: AgentView, waiter: Waiter, dialogs: Dialogs): Attention[] {
  const { activity, about, until, waitingFor } = agent;
  if (isInDialog(agent)) {
    const dialog = dialogs.get(agent.paneId ?? "");
    const question = dialog?.known ? `asks ${dialog.known.asks}` : dialog?.question;
    const rows = dialog?.rows?.filter((row) => row.trim() !== "") ?? null;
    return [
      { ...waiter, kind: "dialog", about: isVague(waitingFor) ? (question ?? waitingFor) : waitingFor, rows },
    ];
  }
  if (activity !== "limited" && activity !== "error" && activity !== "crashed") return [];
  return [{ ...waiter, kind: activity, about, until }];
}

export function lostIn(
  lost: readonly LostMessage[],
  { teams }: Pick<FleetView, "teams">,
  textOf: (id: string) => string | null,
): Attention[] {
  const known = new Map(
    teams.flatMap((team) => team.agents.map((agent) => [agent.agent, waiterOf(team, agent)] as const)),
  );
  return lost.map((message) => {
    const { agent, pane, id } = message;
    const unknown = { who: pane ?? `@${agent}`, team: null, agent, pane, paneId: null };
    const waiter = (agent && known.get(agent)) || unknown;
    return { ...waiter, kind: "message", message, text: textOf(id) };
  });
}

function waiterOf({ team }: TeamView, { agent, role, pane, paneId }: AgentView): Waiter {
  return { who: role ?? (pane || `@${agent}`), team, agent, pane: pane || null, paneId };
}

function inBackground({ name, job }: BackgroundView): Waiter {
  return { who: name ?? job, team: null, agent: null, pane: null, paneId: null };
}
