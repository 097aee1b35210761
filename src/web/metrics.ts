// The fleet in numbers, in the text format of Prometheus. Pure.

import type { AgentView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { ReceiptStep } from "../stores/receipts.js";

export interface Measured {
  fleet: FleetView;
  /** The last step of each message. */
  steps: readonly ReceiptStep[];
  nowMs: number;
}

export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

export function metricsText({ fleet, steps, nowMs }: Measured): string {
  const agents = fleet.teams.flatMap(({ team, agents }) =>
    agents.filter(isAgent).map((agent) => ({ ...agent, team })),
  );
  const waits = agents
    .filter(({ activity }) => activity === "waiting")
    .map(({ since }) => secondsSince(since, nowMs));
  return [
    ...metric(
      "hivemind_agents",
      "Agents by what they do; away agents have no pane.",
      counted(agents.map(({ activity, paneId }) => activity ?? (paneId === null ? "away" : "unknown"))).map(
        ([activity, count]) => [{ activity }, count],
      ),
    ),
    ...metric("hivemind_longest_wait_seconds", "How long an agent has been waiting for a person at most.", [
      [{}, Math.max(0, ...waits)],
    ]),
    ...metric(
      "hivemind_messages",
      "Messages in the log of receipts, by their last step.",
      counted(steps).map(([step, count]) => [{ step }, count]),
    ),
    ...metric(
      "hivemind_queued_messages",
      "Messages that wait in the queue of an agent.",
      agents.map((agent) => [namesOf(agent), agent.queued]),
    ),
    ...metric(
      "hivemind_context_percent",
      "How full the context of an agent is.",
      agents.flatMap((agent): Sample[] => {
        const { context } = agent;
        return context?.window
          ? [[namesOf(agent), Math.round((1000 * context.used) / context.window) / 10]]
          : [];
      }),
    ),
    "",
  ].join("\n");
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [Labels, number];

function metric(name: string, help: string, samples: readonly Sample[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  ];
}

function labelText(labels: Labels): string {
  const words = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return words.length === 0 ? "" : `{${words.join(",")}}`;
}

/** Of the format itself. All else is text. */
function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
}

/** Shells are no agents. */
function isAgent({ agent, kind }: AgentView): boolean {
  return agent !== null || (kind !== null && kind !== "shell" && kind !== "monitor");
}

function namesOf({ agent, paneId, pane, role, team }: AgentView & { team: string }): Labels {
  return { agent: agent === null ? (paneId ?? pane) : `@${agent}`, team, role: role ?? "" };
}

function counted(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

function secondsSince(since: string | null, nowMs: number): number {
  return since === null ? 0 : Math.max(0, Math.round((nowMs - Date.parse(since)) / 1000));
}
