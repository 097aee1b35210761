// What must be true after hivemind has repaired everything: derived from the actions, not from hivemind's own rules.

import { rowsNow } from "./expected.js";
import type { Known, Memory } from "./memory.js";
import { isTeamName, queueLink, teamOf, unreadable, waitingMessages } from "./rows.js";
import { type Listed, type Stage, type StoreId, storeFiles } from "./stage.js";

/** Each is a sentence about something wrong. */
export function unsettled(stage: Stage, memory: Memory): string[] {
  const panes = memory.now();
  return [
    ...doubleRoles(stage),
    ...leftBehind(stage, memory),
    ...wrongAgents(stage, memory, panes),
    ...wrongRows(stage, memory, panes),
    ...wrongMessages(stage, memory),
    ...lostLines(stage, memory),
  ];
}

interface Shown {
  agent: string | null;
  paneId: string | null;
  uuid: string | null;
  standing: string | null;
}

/** Every running agent is shown with the session it reports, and so is every other agent of the roster. */
export function wrongStatus(stage: Stage, memory: Memory, json: string): string[] {
  const { teams } = JSON.parse(json) as { teams: { agents: Shown[] }[] };
  const agents = teams.flatMap((team) => team.agents);
  const shown = new Map(agents.map((agent) => [agent.paneId, agent]));
  const running = memory.now().filter(({ known, isAlive }) => known.kind === "agent" && isAlive);
  const wrong = running.flatMap((pane) => {
    const own = stage.ownWord(pane.pid)?.sessionId;
    const seen = shown.get(pane.id);
    if (seen === undefined) return [`status does not show ${pane.id} in ${pane.address}`];
    return seen.uuid === own ? [] : [`status shows ${seen.uuid} in ${pane.address}, which says ${own}`];
  });
  const standing = new Map(agents.map((agent) => [agent.agent, agent.standing]));
  const missing = stage.roster().filter(({ id }) => !standing.has(id));
  const far = [...memory.far.keys()].filter((id) => standing.get(id) !== "elsewhere");
  return [
    ...wrong,
    ...missing.map(({ id, role }) => `status does not show ${role} @${id}`),
    ...far.map((id) => `status shows @${id} as ${standing.get(id)}, and it runs on the other server`),
  ];
}

/** Running agents of a registered team are in the roster, with their names and the sessions they report. */
function wrongAgents(stage: Stage, memory: Memory, panes: readonly Known[]): string[] {
  const teams = new Set(memory.teams());
  const roster = stage.roster();
  // For a pane whose agent was forgotten, the row says nothing.
  const isUnnamed = ({ known, id }: Known) =>
    known.byHand !== null && known.agent === null && memory.agentIn(id) === undefined;
  const unnamed = panes
    .filter(isUnnamed)
    .map(({ known, address }) => `${address} is not ${known.byHand?.role}, as the row says`);
  const running = panes.filter(
    ({ sessionName, known, isAlive }) => teams.has(sessionName) && known.kind === "agent" && isAlive,
  );
  return [
    ...unnamed,
    ...running.flatMap((pane) => {
      const { known, address, id, sessionName, mark } = pane;
      const agent = memory.agentIn(id);
      const where = `${known.name} in ${address} (${id})`;
      const isRival = (other: Known) =>
        other.id !== id && other.sessionName === sessionName && other.known.name === known.name;
      const isTaken =
        panes.some(isRival) ||
        roster.some((each) => each.id !== agent?.id && each.team === sessionName && each.role === known.name);
      if (known.name !== null && (agent?.role ?? null) === null && !isTaken) return [`${where} has no role`];
      if (agent === undefined) return [];
      const found: string[] = [];
      const uuid = stage.ownWord(pane.pid)?.sessionId;
      if (uuid !== undefined && agent.session !== uuid)
        found.push(`${where} is in ${uuid}, S0 says ${agent.session}`);
      if (mark !== `${id}|${address}|${agent.role ?? ""}`) found.push(`${where} carries ${mark}`);
      if (queueLink(stage, address) !== `${agent.id}.queue`) found.push(`${where} has no link to its queue`);
      return found;
    }),
  ];
}

/** Away agents have the new name of their team. */
function leftBehind(stage: Stage, memory: Memory): string[] {
  const names = new Map(stage.panes().map(({ sessionId, sessionName }) => [sessionId, sessionName]));
  const seated = stage.roster().filter(({ seat }) => seat !== null);
  return [...memory.following].flatMap(([id, sessionId]) => {
    const [agent, name] = [stage.roster().find((each) => each.id === id), names.get(sessionId)];
    if (agent === undefined || agent.seat !== null || name === undefined) {
      memory.following.delete(id);
      return [];
    }
    // A tmux session without agents carries no team name.
    const isTeam = isTeamName(name) && seated.some(({ team }) => team === name);
    return isTeam && agent.team !== name ? [`@${id} is of ${agent.team}, which is called ${name} now`] : [];
  });
}

function doubleRoles(stage: Stage): string[] {
  const seen = new Set<string>();
  return stage.roster().flatMap(({ id, team, role }) => {
    const isDouble = role !== null && seen.has(`${team} ${role}`);
    seen.add(`${team} ${role}`);
    return isDouble ? [`@${id} is ${role} of ${team}, and so is another`] : [];
  });
}

/** S1 and S2 equal the roster, for every team that runs, here or elsewhere. */
function wrongRows(stage: Stage, memory: Memory, panes: readonly Known[]): string[] {
  const roster = stage.roster();
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const server = panes.length === 0 ? null : stage.serverPid();
  const isHere = ({ seat }: Listed) => seat !== null && (seat.server === server || memory.far.size > 0);
  const seated = roster.filter((agent) => isHere(agent) && isTeamName(teamOf(agent.address)));
  const up = new Set([...running, ...seated.map(({ team }) => team)]);
  const roles = new Map(seated.flatMap(({ address, role }) => (role === null ? [] : [[address, role]])));
  const sessions = new Map(
    seated.flatMap(({ address, role, session }) =>
      role === null || session === null ? [] : [[address, session]],
    ),
  );
  const compare = (name: string, wanted: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>) =>
    [...new Set([...wanted.keys(), ...found.keys()])]
      .filter((address) => up.has(teamOf(address)) && wanted.get(address) !== found.get(address))
      .map((address) => `${name} of ${address} is ${found.get(address)}, S0 says ${wanted.get(address)}`);
  const rows = rowsNow(stage);
  const places = new Map(panes.map(({ id, address }) => [id, address]));
  const stray = roster.filter(
    ({ seat, address }) =>
      seat !== null && seat.server === server && address !== "" && places.get(seat.pane) !== address,
  );
  return [
    ...compare("the role", roles, rows.roles),
    ...compare("the session", sessions, rows.sessions),
    ...stray.map(({ id, address, seat }) => `@${id} sits in ${seat!.pane}, and S0 says ${address}`),
  ];
}

/** A message is in the queue of its agent, once; that of a forgotten agent is in dead/. */
function wrongMessages(stage: Stage, memory: Memory): string[] {
  const waiting = waitingMessages(stage);
  return memory.messages.flatMap(({ text, agent, isUncertain }) => {
    const found = waiting.filter((message) => message.text === text);
    if (isUncertain && found.length === 0) return [];
    if (found.length !== 1) return [`"${text}" for @${agent} is there ${found.length} times`];
    const [{ owner, isDead }] = found as [(typeof found)[number]];
    if (owner !== agent) return [`"${text}" for @${agent} is in the queue of ${owner}`];
    return isDead && !memory.forgotten.has(agent) ? [`"${text}" for @${agent} is dead, and it is known`] : [];
  });
}

function lostLines(stage: Stage, memory: Memory): string[] {
  const found: string[] = [];
  const texts = new Map(Object.keys(storeFiles).map((id) => [id as StoreId, stage.read(id as StoreId)]));
  for (const { store, line } of memory.foreign) {
    const lines = texts.get(store)!.split(/\r?\n/);
    if (!lines.includes(line)) found.push(`${store} lost ${JSON.stringify(line)}`);
  }
  for (const [store, text] of texts) {
    const own = new Set(memory.foreign.filter((each) => each.store === store).map(({ line }) => line));
    for (const line of unreadable(store, text)) {
      if (!own.has(line)) found.push(`${store} has a line that is not a row: ${JSON.stringify(line)}`);
    }
  }
  const lineage = texts.get("S5")!;
  if (!lineage.startsWith(memory.lineage)) found.push("S5 does not begin with its earlier contents");
  memory.lineage = lineage;
  const rows = lineage.split("\n").map((line) => line.split("|"));
  const recorded = new Set(rows.map(([, , , child, , parent]) => `${child} of ${parent}`));
  for (const { child, parent } of memory.forks) {
    if (!recorded.has(`${child} of ${parent}`))
      found.push(`S5 does not know ${child} as a fork of ${parent}`);
  }
  return found;
}

/** For a failure message: everything that exists, according to tmux and the agents themselves. */
export function picture(stage: Stage): string {
  return stage
    .panes()
    .map(({ id, address, pid, isAlive, mark, title }) =>
      [id, address, isAlive ? (stage.ownWord(pid)?.sessionId ?? "runs") : "ended", mark, title].join("  "),
    )
    .join("\n");
}
