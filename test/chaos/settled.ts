// What must hold once hivemind has put things right: said by what the chaos did, not by how hivemind thinks.

import { awaitedPlaces } from "./expected.js";
import { isTeamName, markOf, teamOf } from "./followed.js";
import type { Known, Memory } from "./memory.js";
import { rowsOf, unreadable, waitingMessages } from "./rows.js";
import { type Seen, type Stage, type StoreId, storeFiles } from "./stage.js";

/** Each a sentence about something that is wrong. */
export function unsettled(stage: Stage, memory: Memory): string[] {
  return [...wrongRows(stage, memory), ...wrongMessages(stage, memory), ...lostLines(stage, memory)];
}

/** Every agent that runs is shown with the session it tells of itself. */
export function wrongStatus(stage: Stage, memory: Memory, json: string): string[] {
  const status = JSON.parse(json) as {
    teams: { agents: { paneId: string | null; uuid: string | null; kind: string | null }[] }[];
  };
  const shown = new Map(status.teams.flatMap(({ agents }) => agents).map((agent) => [agent.paneId, agent]));
  return memory
    .now()
    .filter(({ known, isAlive }) => known.kind === "agent" && isAlive)
    .flatMap((pane) => {
      const own = stage.ownWord(pane.pid)?.sessionId;
      const seen = shown.get(pane.id);
      if (seen === undefined) return [`status does not show ${pane.id} in ${pane.address}`];
      return seen.uuid === own ? [] : [`status shows ${seen.uuid} in ${pane.address}, which says ${own}`];
    });
}

function wrongRows(stage: Stage, memory: Memory): string[] {
  const rows = rowsOf("S1", stage.read("S1"));
  const roles = new Map(rows.map(([pane, role]) => [pane!, role!]));
  // A row without a time was written by hand, and holds for whoever stands there.
  const wishes = new Set(rows.filter(([, , epoch]) => !epoch).map(([pane]) => pane!));
  const sessions = new Map(
    rowsOf("S2", stage.read("S2")).map(([pane, uuid]) => [pane!, uuid!.toLowerCase()]),
  );
  const teams = new Set(memory.teams());
  const panes = memory.now().filter(({ sessionName }) => teams.has(sessionName));
  const awaited = awaitedPlaces(stage, memory);
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const places = new Set(stage.panes().map(({ address }) => address));
  // A pane that stands where no row can name it: its row waits for it.
  for (const pane of stage.panes())
    if (!isTeamName(pane.sessionName)) places.add(markOf(pane)?.address ?? "");
  const stray = [...roles.keys(), ...sessions.keys()].filter(
    (address) => running.has(teamOf(address)) && !places.has(address) && !awaited.has(address),
  );
  return [
    ...stray.map((address) => `a row of ${address}, which is no pane`),
    ...panes
      .filter(({ address, known }) => known.role !== null || !wishes.has(address))
      .filter((pane) => markOf(pane) !== null || !awaited.has(pane.address))
      .flatMap((pane) => wrongPane(stage, pane, roles.get(pane.address), sessions.get(pane.address))),
  ];
}

function wrongPane(
  stage: Stage,
  { id, address, isAlive, mark, known }: Known,
  role: string | undefined,
  uuid: string | undefined,
): string[] {
  if (known.isForgotten) return [];
  const where = `${address} (${id}, ${known.kind}${isAlive ? "" : ", ended"})`;
  if (known.kind === "shell" || known.role === null) {
    return role === undefined ? [] : [`${where} has no role, and S1 says ${role}`];
  }
  // Of an ended agent whose row another took while it stood where no row could name it, only the mark is left.
  const isOvertaken = !isAlive && role === undefined && stage.panes().some((other) => tookOver(other, mark));
  if (isOvertaken) return [];
  const found: string[] = [];
  if (role !== known.role) found.push(`${where} is ${known.role}, and S1 says ${role}`);
  if (mark !== `${id}|${address}|${known.role}`) found.push(`${where} is ${known.role}, its mark ${mark}`);
  if (isAlive && uuid !== known.uuid) found.push(`${where} is in ${known.uuid}, and S2 says ${uuid}`);
  if (isAlive) return found;
  // Which of its sessions was the last one seen is hivemind's to know; one that lost its transcript may be dropped.
  const isDroppable = [...known.past].some((each) => stage.transcriptsOf(each).length === 0);
  if (uuid === undefined ? !isDroppable : !known.past.has(uuid))
    found.push(`${where} was in ${[...known.past].join(", ")}, and S2 says ${uuid}`);
  return found;
}

/** Whether this pane rightly stands where that mark of another says. */
function tookOver(other: Seen, mark: string): boolean {
  const own = markOf(other);
  return (
    own !== null && own.address === other.address && mark !== other.mark && mark.split("|")[1] === own.address
  );
}

function wrongMessages(stage: Stage, memory: Memory): string[] {
  const waiting = waitingMessages(stage);
  const teams = new Set(memory.teams());
  const there = memory.now();
  const at = new Map(there.map((pane) => [pane.address, pane]));
  return memory.messages.flatMap(({ text, server, pane: id, role, isUncertain }) => {
    const found = waiting.filter((message) => message.text === text);
    if (isUncertain && found.length === 0) return [];
    if (found.length !== 1) return [`"${text}" for ${role} ${id} is there ${found.length} times`];
    const owner = server === memory.server ? there.find((pane) => pane.id === id) : undefined;
    const { pane: place, owner: written } = found[0]!;
    const isOwned = written !== null && written === `${id} ${stage.serverKey()}`;
    if (place === null) {
      const isWaitedFor =
        owner !== undefined &&
        !owner.known.isForgotten &&
        !owner.known.wasAway &&
        teams.has(owner.sessionName);
      return isWaitedFor ? [`"${text}" for ${role} in ${owner.address} is dead, and its pane is there`] : [];
    }
    const holder = at.get(place);
    if (isOwned) {
      const isAway = owner !== undefined && isTeamName(owner.sessionName) && owner !== holder;
      const isLeft = holder !== undefined && owner !== holder;
      return isAway || isLeft
        ? [`"${text}" is for ${role} ${id} in ${owner?.address}, and waits in ${place} (${holder?.id})`]
        : [];
    }
    if (holder === undefined || holder === owner || !teams.has(holder.sessionName)) return [];
    const isHeir = server !== memory.server && holder.known.role === role;
    return isHeir || holder.known.isForgotten
      ? []
      : [`"${text}" for ${role} ${id} waits for ${holder.known.role} in ${place}`];
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
      if (!own.has(line)) found.push(`${store} has a line that is no row: ${JSON.stringify(line)}`);
    }
  }
  const lineage = texts.get("S5")!;
  if (!lineage.startsWith(memory.lineage)) found.push("S5 is not what it was with rows behind it");
  memory.lineage = lineage;
  const recorded = new Set(rowsIn(lineage).map(([, , , child, , parent]) => `${child} of ${parent}`));
  for (const { child, parent } of memory.forks) {
    if (!recorded.has(`${child} of ${parent}`))
      found.push(`S5 does not know ${child} as a fork of ${parent}`);
  }
  return found;
}

function rowsIn(lineage: string): string[][] {
  return lineage.split("\n").map((line) => line.split("|"));
}

/** For a message of a failure: everything there is, by tmux and by the agents themselves. */
export function picture(stage: Stage): string {
  return stage
    .panes()
    .map(({ id, address, pid, isAlive, mark, title }) =>
      [id, address, isAlive ? (stage.ownWord(pid)?.sessionId ?? "runs") : "ended", mark, title].join("  "),
    )
    .join("\n");
}
