// What the chaos test knows because it did it: what runs in which pane, what every agent reports about itself, the
// agents of the roster, which messages are queued for which agent, and which lines it wrote into the stores by hand.

import { Finding } from "./action.js";
import { rowsOf } from "./rows.js";
import type { Listed, Seen, Stage, StoreId } from "./stage.js";

export interface KnownPane {
  id: string;
  kind: "agent" | "shell";
  /** Its name: the title that its client has; null for an unnamed one. */
  name: string | null;
  /** The last session that the agent itself reported, and all before it. */
  uuid: string | null;
  past: Set<string>;
  pid: number;
  /** Its agent in the roster, from its first appearance there. */
  agent: string | null;
  /** The role that a person gave it in S1, and its address then. */
  byHand: { role: string; address: string } | null;
}

/** An agent of the roster. */
export interface KnownAgent {
  row: Listed;
  /** The roles and sessions that were requested. */
  roles: Set<string>;
  sessions: Set<string>;
}

/** A text that is unique in the whole story, queued for one agent. */
export interface KnownMessage {
  text: string;
  agent: string;
  /** The command that queued it was killed: it may be there or not. */
  isUncertain: boolean;
}

export class Memory {
  /** The pane that keeps the server alive; it is never moved. */
  bystander = "";
  private panes = new Map<string, KnownPane>();
  readonly agents = new Map<string, KnownAgent>();
  readonly messages: KnownMessage[] = [];
  /** Hand-written lines that are not rows: they stay, whatever happens to the rows around them. */
  readonly foreign: { store: StoreId; line: string }[] = [];
  /** The sessions of the newest snapshot; null before the first. */
  saved: string[] | null = null;
  /** Sessions that were open twice: the client keeps the second one's name in their transcript. */
  readonly twins = new Set<string>();
  /** Forks that S5 must always keep. */
  readonly forks: { child: string; parent: string }[] = [];
  /** S5 at the last check. */
  lineage = "";
  /** Agents that a command forgot. */
  readonly forgotten = new Set<string>();
  /** Away agents of a team whose tmux session was renamed, with that tmux session. */
  readonly following = new Map<string, string>();
  /** Agents on the other tmux server, with their sessions. */
  far = new Map<string, string>();
  private count = 0;

  constructor(private readonly stage: Stage) {}

  /** A new name. */
  fresh(stem: string): string {
    this.count += 1;
    return `${stem}${this.count}`;
  }

  add(pane: Seen, kind: KnownPane["kind"], name: string | null): KnownPane {
    const uuid = this.stage.ownWord(pane.pid)?.sessionId ?? null;
    const past = new Set(uuid === null ? [] : [uuid]);
    const known = { id: pane.id, kind, name, uuid, past, pid: pane.pid, agent: null, byHand: null };
    this.panes.set(pane.id, known);
    return known;
  }

  of(id: string): KnownPane | undefined {
    return this.panes.get(id);
  }

  /** All existing panes with what is known of each, in the order of their ids. */
  now(): Known[] {
    const seen = this.stage.panes().sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
    const there = seen.flatMap((pane) => {
      const known = this.panes.get(pane.id);
      if (known === undefined) return [];
      known.pid = pane.pid;
      known.uuid = this.stage.ownWord(pane.pid)?.sessionId ?? known.uuid;
      if (known.uuid !== null) known.past.add(known.uuid);
      // Moved before its row was read: the row belongs to the current occupant of that address.
      if (known.agent === null && known.byHand !== null && known.byHand.address !== pane.address)
        known.byHand = null;
      return [{ ...pane, known }];
    });
    this.learn(there);
    return there;
  }

  /** The server is gone: ids begin again. */
  serverGone(): void {
    this.panes = new Map();
    this.following.clear();
  }

  /** The agent of this pane in the roster. */
  agentIn(id: string): Listed | undefined {
    const server = this.stage.panes().length === 0 ? null : this.stage.serverPid();
    return this.stage.roster().find(({ seat }) => seat?.pane === id && seat.server === server);
  }

  /** A message that is queued for the agent of this pane from now on. */
  queued(text: string, { id }: Known, isUncertain = false): void {
    const agent = this.agentIn(id)?.id;
    if (agent !== undefined) this.messages.push({ text, agent, isUncertain });
    else if (!isUncertain) throw new Finding(`a message was queued for ${id}, which has no known agent`);
  }

  /** The teams of S3, from the file itself. */
  teams(): string[] {
    return rowsOf("S3", this.stage.read("S3")).map(([team]) => team!);
  }

  /** No agent leaves the roster or changes its pane, role or session without a reason. */
  private learn(there: readonly Known[]): void {
    const roster = this.stage.roster();
    const ids = new Set(roster.map(({ id }) => id));
    const server = there.length === 0 ? null : this.stage.serverPid();
    const wrong: string[] = [];
    for (const [id, { row }] of this.agents) {
      if (ids.has(id)) continue;
      const isLost =
        !this.teams().includes(row.team) && !there.some(({ sessionName }) => sessionName === row.team);
      if (!this.forgotten.has(id) && !isLost) wrong.push(`${row.role} @${id} is not in the roster any more`);
      this.agents.delete(id);
      this.forgotten.add(id);
    }
    for (const row of roster) {
      const { id, role, session, seat } = row;
      const before = this.agents.get(id);
      const agent = before ?? { row, roles: new Set<string>(), sessions: new Set<string>() };
      if (before !== undefined) wrong.push(...changes(before, row, roster, there));
      if (role !== null) agent.roles.add(role);
      if (session !== null) agent.sessions.add(session);
      this.agents.set(id, { ...agent, row });
      const pane = seat?.server === server ? there.find((each) => each.id === seat?.pane) : undefined;
      if (pane === undefined) continue;
      if (pane.known.agent !== null && pane.known.agent !== id && !this.forgotten.has(pane.known.agent))
        wrong.push(`${pane.id} was the pane of @${pane.known.agent}, and is that of @${id}`);
      pane.known.agent = id;
      for (const uuid of pane.known.past) agent.sessions.add(uuid);
    }
    if (wrong.length > 0) throw new Finding(["the roster:", ...wrong].join("\n"));
  }
}

function changes(
  { row: before, roles, sessions }: KnownAgent,
  row: Listed,
  roster: readonly Listed[],
  there: readonly Known[],
): string[] {
  const who = `${before.role} @${row.id}`;
  const found: string[] = [];
  const isTaken = roster.some(
    ({ id, team, role }) => id !== row.id && team === row.team && role === before.role,
  );
  const isLost = row.role === null && isTaken;
  if (row.role !== before.role && before.role !== null && !isLost && !roles.has(row.role ?? ""))
    found.push(`${who} is ${row.role} now`);
  const said = new Set(there.flatMap(({ known }) => (known.agent === row.id ? [...known.past] : [])));
  const isSaid = row.session === null || sessions.has(row.session) || said.has(row.session);
  if (row.session !== before.session && !isSaid) found.push(`${who} is in ${row.session} now`);
  return found;
}

export type Known = Seen & { known: KnownPane };
