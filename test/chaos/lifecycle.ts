// Agents start, talk, change their sessions and end: through the command, and without it.

import { until } from "../home.js";
import {
  type Action,
  agents,
  done,
  doneOrRefused,
  ended,
  Finding,
  hasTranscript,
  isInTeam,
  mostAgents,
  newPanes,
  paneEnvironment,
  reaped,
  type Scene,
  sessions,
} from "./action.js";
import type { Known } from "./memory.js";
import { uuidOf } from "./random.js";
import type { Listed, Seen } from "./stage.js";

export const lifecycleActions: readonly Action[] = [
  { name: "spawn", weight: 10, run: spawn },
  { name: "stranger", weight: 5, run: stranger },
  { name: "say", weight: 8, run: say },
  { name: "clear", weight: 6, run: clear },
  { name: "fork", weight: 4, run: fork },
  { name: "rename", weight: 4, run: rename },
  { name: "kill", weight: 3, run: kill },
  { name: "crash", weight: 5, run: crash },
  { name: "respawn", weight: 4, run: respawn },
  { name: "restart", weight: 3, run: restart },
  { name: "bring back", weight: 4, run: bringBack },
  { name: "forget", weight: 1, run: forget },
  { name: "shell", weight: 2, run: shell },
  { name: "respawn-pane", weight: 1, run: respawnPane },
  { name: "twin", weight: 1, run: twin },
];

/** In a team; sometimes with a role that another team has too. */
async function spawn(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  const team = pickSession(scene);
  if (team === null || agents(scene).length >= mostAgents) return null;
  const roles = [...memory.agents.values()].flatMap(({ row }) => row.role ?? []);
  const isTwin = roles.length > 0 && random.chance(0.25);
  const role = isTwin ? random.pick(roles) : memory.fresh("a");
  let isDone = false;
  const [pane] = await newPanes(scene, async () => {
    const args = ["agent", "spawn", role, "--team", team.sessionName, "--kind", "demo"];
    isDone = isTwin
      ? await doneOrRefused(stage.hivemind(...args))
      : (await done(stage.hivemind(...args))).code === 0;
  });
  if (!isDone) return `spawn ${role} in ${team.sessionName}: refused`;
  if (pane === undefined) throw new Finding(`spawn ${role} in ${team.sessionName}: no new pane`);
  memory.add(pane, "agent", role);
  return `spawn ${role} in ${pane.address} (${pane.id})`;
}

/** Starts an agent with tmux alone: with a name, so that its title is its role, or without one. */
async function stranger(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  const beside = pickSession(scene);
  if (beside === null || agents(scene).length >= mostAgents) return null;
  const name = random.chance(0.7) ? memory.fresh("s") : null;
  const args = ["--session-id", uuidOf(random), ...(name === null ? [] : ["-n", name])];
  const [pane] = await newPanes(scene, () => {
    stage.tryTmux("select-layout", "-t", beside.windowId, "tiled");
    const start = [
      "-c",
      stage.home.work,
      ...paneEnvironment(scene),
      process.execPath,
      stage.agentProgram,
      ...args,
    ];
    stage.tryTmux("split-window", "-d", "-t", beside.id, ...start);
  });
  if (pane === undefined) return null;
  await until(`${pane.id} reports its session`, () => stage.ownWord(pane.pid)?.status === "idle");
  memory.add(pane, "agent", name);
  return `stranger ${name ?? "without a name"} in ${pane.address} (${pane.id})`;
}

async function say(scene: Scene): Promise<string | null> {
  const pane = pickAgent(scene);
  if (pane === null) return null;
  await scene.stage.say(pane.pid, pane.id, scene.memory.fresh("hello "));
  return `say hello to ${described(pane)}`;
}

async function clear(scene: Scene): Promise<string | null> {
  const pane = pickAgent(scene);
  if (pane === null) return null;
  await scene.stage.say(pane.pid, pane.id, "/clear");
  const after = scene.stage.ownWord(pane.pid)?.sessionId;
  return `/clear in ${described(pane)}: ${pane.known.uuid} → ${after}`;
}

async function fork(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  const parent = pickAgent(scene, (pane) => hasTranscript(scene, pane) && isInTeam(pane));
  if (parent === null || agents(scene).length >= mostAgents) return null;
  const role = memory.fresh("f");
  const uuid = parent.known.uuid!;
  const [pane] = await newPanes(scene, () => done(stage.hivemind("agent", "fork", parent.id, "--as", role)));
  if (pane === undefined) throw new Finding(`fork of ${parent.address}: no new pane`);
  const child = memory.add(pane, "agent", role).uuid;
  if (child === null) throw new Finding(`fork of ${parent.address} in ${pane.address} reports no session`);
  memory.forks.push({ child, parent: uuid });
  return `fork ${described(parent)} as ${role} in ${pane.address} (${pane.id})`;
}

async function rename(scene: Scene): Promise<string | null> {
  const pane = pickAgent(scene, isInTeam);
  if (pane === null) return null;
  const role = scene.memory.fresh("r");
  const id = scene.memory.agentIn(pane.id)?.id;
  if (id !== undefined) scene.memory.agents.get(id)?.roles.add(role);
  await done(scene.stage.hivemind("agent", "rename", pane.id, role));
  pane.known.name = role;
  return `rename ${described(pane)} to ${role}`;
}

async function kill(scene: Scene): Promise<string | null> {
  const all = scene.memory.now().filter((pane) => isInTeam(pane) && pane.known.kind === "agent");
  if (all.length < 3) return null;
  const pane = scene.random.pick(all);
  await done(scene.stage.hivemind("agent", "kill", pane.id, "--yes"));
  if (scene.stage.panes().some(({ id }) => id === pane.id))
    throw new Finding(`${pane.id} is there after kill`);
  return `kill ${described(pane)}`;
}

async function crash(scene: Scene): Promise<string | null> {
  const pane = pickAgent(scene);
  if (pane === null) return null;
  await scene.stage.kill([pane.pid]);
  await reaped(scene, pane.id);
  return `kill -9 of ${described(pane)}`;
}

/** Restores it as a fork of its conversation. */
async function respawn(scene: Scene): Promise<string | null> {
  const pane = pickEnded(scene);
  if (pane === null) return null;
  const parent = pane.known.uuid!;
  await done(scene.stage.hivemind("agent", "respawn", pane.id));
  const child = await cameBack(scene, pane);
  if (child === parent) throw new Finding(`respawn of ${pane.address} has its parent's session ${parent}`);
  scene.memory.forks.push({ child, parent });
  return `respawn ${described(pane)}`;
}

async function restart(scene: Scene): Promise<string | null> {
  const isRunning = scene.random.chance(0.5);
  const isFit = (pane: Known) => isInTeam(pane) && hasTranscript(scene, pane);
  const pane = isRunning ? pickAgent(scene, isFit) : pickEnded(scene);
  if (pane === null) return null;
  const before = pane.known.uuid!;
  await done(scene.stage.hivemind("agent", "restart", pane.id, "--yes"));
  const after = await cameBack(scene, pane);
  if (after !== before) throw new Finding(`restart of ${pane.address}: ${after} instead of ${before}`);
  return `restart ${described(pane)}`;
}

/** Restores an agent without a pane as itself, with its messages. */
async function bringBack(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  const away = pickAway(scene);
  if (away === null || agents(scene).length >= mostAgents) return null;
  const [pane] = await newPanes(scene, () => done(stage.hivemind("agent", "restart", `@${away.id}`)));
  if (pane === undefined) throw new Finding(`restart of @${away.id}: no new pane`);
  const known = memory.add(pane, "agent", away.role);
  if (known.uuid !== away.session)
    throw new Finding(`restart of @${away.id}: ${known.uuid} instead of ${away.session}`);
  if (memory.agentIn(pane.id)?.id !== away.id)
    throw new Finding(`restart of @${away.id}: @${memory.agentIn(pane.id)?.id} sits in ${pane.id}`);
  return `restart ${away.role} @${away.id}, which was away, in ${pane.address} (${pane.id})`;
}

async function forget(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  const all = stage.roster().filter(({ id }) => !memory.far.has(id));
  if (all.length < 4) return null;
  const agent = random.pick(all);
  memory.forgotten.add(agent.id);
  await done(stage.hivemind("agent", "forget", `@${agent.id}`, "--yes"));
  if (stage.roster().some(({ id }) => id === agent.id)) throw new Finding(`@${agent.id} is not forgotten`);
  return `forget ${agent.role} @${agent.id}`;
}

/** A person opens a shell, which has no role. */
async function shell(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  const beside = pickSession(scene);
  if (beside === null || memory.now().length > 2 * mostAgents) return null;
  const [pane] = await newPanes(scene, () => {
    stage.tryTmux("select-layout", "-t", beside.windowId, "tiled");
    stage.tryTmux("split-window", "-d", "-b", "-t", beside.id, "cat");
  });
  if (pane === undefined) return null;
  memory.add(pane, "shell", null);
  return `shell in ${pane.address} (${pane.id})`;
}

/** A person starts another program in an agent's pane. */
function respawnPane(scene: Scene): string | null {
  const pane = pickAgent(scene, (each) => each.id !== scene.memory.bystander);
  if (pane === null || agents(scene).length < 3) return null;
  scene.stage.tmux("respawn-pane", "-k", "-t", pane.id, "cat");
  pane.known.kind = "shell";
  return `tmux respawn-pane with a shell in ${described(pane)}`;
}

/** One session in two panes is reported, changes no row, and ends with the second pane. */
async function twin(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  // An agent whose name was taken at its start would give its twin another name.
  const first = pickAgent(
    scene,
    (pane) => isInTeam(pane) && hasTranscript(scene, pane) && pane.title.endsWith(` ${pane.known.name}`),
  );
  if (first === null || !memory.teams().includes(first.sessionName)) return null;
  if (memory.twins.has(first.known.uuid!)) return null;
  memory.twins.add(first.known.uuid!);
  await stage.hivemind("consistency", "fix", "--yes");
  await done(stage.hivemind("registry", "refresh"));
  const rows = (without: string | undefined) => {
    const roles = stage
      .read("S1")
      .split("\n")
      .filter((row) => !row.startsWith(`${without}|`));
    return [roles.join("\n"), stage.read("S2")].join("\n");
  };
  const before = rows(undefined);
  const uuid = first.known.uuid!;
  const [second] = await newPanes(scene, () => {
    const program = [process.execPath, stage.agentProgram, "--resume", uuid];
    const start = ["-c", stage.home.work, ...paneEnvironment(scene), ...program];
    stage.tryTmux("new-window", "-d", "-t", `${first.sessionId}:`, ...start);
  });
  if (second === undefined) return null;
  await until(`${second.id} reports its session`, () => stage.ownWord(second.pid)?.status === "idle");
  const audit = await stage.hivemind("consistency", "audit", "--json");
  if (!audit.stdout.includes(`"${uuid}"`))
    throw new Finding(`the audit is silent about ${uuid}, in two panes`);
  await stage.hivemind("consistency", "fix", "--yes");
  await done(stage.hivemind("registry", "refresh"));
  // The second agent may get a role of its own, if its title names one that no agent has; never the session.
  const address = stage.panes().find(({ id }) => id === second.id)!.address;
  const after = rows(address);
  if (after !== before)
    throw new Finding(`a session in two panes changed the rows:\n${before}\nto\n${after}`);
  if (stage.read("S1").includes(`${address}|`))
    await done(stage.hivemind("agent", "forget", address, "--yes"));
  stage.tmux("kill-pane", "-t", second.id);
  return `twin of ${described(first)}, and its end`;
}

async function cameBack(scene: Scene, { id, address }: Known): Promise<string> {
  const now = scene.memory.now().find((pane) => pane.id === id);
  const uuid = now === undefined ? null : (scene.stage.ownWord(now.pid)?.sessionId ?? null);
  if (uuid === null) throw new Finding(`nothing runs in ${address} (${id}) after it was started again`);
  return uuid;
}

function pickSession(scene: Scene): Seen | null {
  const all = sessions(scene);
  return all.length === 0 ? null : scene.random.pick(all);
}

function pickAgent(scene: Scene, isFit: (pane: Known) => boolean = () => true): Known | null {
  const fit = agents(scene).filter(isFit);
  return fit.length === 0 ? null : scene.random.pick(fit);
}

/** An ended agent with a role and a conversation to restore. */
function pickEnded(scene: Scene): Known | null {
  const fit = ended(scene).filter((pane) => {
    const agent = scene.memory.agentIn(pane.id);
    const isItsOwn = agent !== undefined && agent.session === pane.known.uuid;
    return isInTeam(pane) && isItsOwn && agent.role !== null && hasTranscript(scene, pane);
  });
  return fit.length === 0 ? null : scene.random.pick(fit);
}

/** An away agent with a conversation to restore, and a team that runs here. */
function pickAway(scene: Scene): Listed | null {
  const { stage, memory, random } = scene;
  const teams = new Set(sessions(scene).map(({ sessionName }) => sessionName));
  const held = new Set(agents(scene).map(({ known }) => known.uuid));
  const fit = stage.roster().filter(({ id, team, session, seat }) => {
    const isAway = seat === null && !memory.far.has(id) && teams.has(team);
    return isAway && session !== null && !held.has(session) && stage.transcriptsOf(session).length > 0;
  });
  return fit.length === 0 ? null : random.pick(fit);
}

export function described({ address, id, known }: Known): string {
  return `${known.name ?? "an unnamed agent"} in ${address} (${id})`;
}
