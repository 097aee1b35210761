// Requests to hivemind itself: messages, refreshes, saves, and a full restore after the server was killed.

import { until } from "../home.js";
import {
  type Action,
  agents,
  bystander,
  done,
  doneOrHeld,
  doneOrRefused,
  Finding,
  isInTeam,
  mostAgents,
  newPanes,
  type Scene,
  sessions,
} from "./action.js";
import { described } from "./lifecycle.js";
import type { Known } from "./memory.js";
import { snapshotsOf, waitingMessages } from "./rows.js";

export const keepingActions: readonly Action[] = [
  { name: "queue append", weight: 8, run: append },
  { name: "queue drain", weight: 3, run: drain },
  { name: "registry refresh", weight: 4, run: refresh },
  { name: "teams save", weight: 2, run: save },
  { name: "two at once", weight: 4, run: twoAtOnce },
  { name: "kill a command", weight: 3, run: killCommand },
  { name: "delete transcript", weight: 2, run: deleteTranscript },
  { name: "kill server", weight: 1, run: killServer },
  { name: "team setup", weight: 1, run: setupTeam },
  { name: "far team", weight: 2, run: farTeam },
  { name: "kill far", weight: 1, run: killFar },
];

async function append(scene: Scene): Promise<string | null> {
  const { memory, random } = scene;
  // An unnamed shell takes no messages.
  const isSomebody = ({ id, known, isAlive }: Known) =>
    memory.agentIn(id) !== undefined || (known.kind === "agent" && isAlive);
  const all = memory.now().filter((pane) => isInTeam(pane) && isSomebody(pane));
  if (all.length === 0) return null;
  const pane = random.pick(all);
  const text = memory.fresh("message ");
  await done(scene.stage.hivemind("queue", "append", pane.id, text));
  memory.queued(text, pane);
  return `queue append "${text}" for ${described(pane)}`;
}

/** A message that left its queue reached its agent, and no other. */
async function drain(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  if (memory.messages.length === 0) return null;
  const ran = await stage.hivemind("queue", "drain");
  if (![0, 1, 4, 5].includes(ran.code ?? -1))
    throw new Finding(`queue drain: exit ${ran.code}: ${ran.stderr}`);
  await until("every agent is idle", () =>
    agents(scene).every(({ pid }) => stage.ownWord(pid)?.status === "idle"),
  );
  const left = new Set(waitingMessages(stage).map(({ text }) => text));
  const said = memory.messages.filter(({ text }) => !left.has(text));
  for (const message of said) {
    const sessions = stage.sessionsThatHeard(message.text);
    const hearers = memory.now().filter(({ known }) => sessions.some((uuid) => known.past.has(uuid)));
    const isLost = sessions.length === 0 && !message.isUncertain;
    if (isLost || sessions.length > 1 || !hearers.every(({ known }) => known.agent === message.agent)) {
      const heard = hearers.map(described).join(", ") || "nobody";
      throw new Finding(`"${message.text}" for @${message.agent} was heard by ${heard}\n${ran.stdout}`);
    }
    memory.messages.splice(memory.messages.indexOf(message), 1);
  }
  return `queue drain: ${said.map(({ text }) => text).join(", ") || "nothing"} said`;
}

async function refresh({ stage }: Scene): Promise<string> {
  await done(stage.hivemind("registry", "refresh"));
  return "registry refresh";
}

export async function save(scene: Scene): Promise<string | null> {
  if (agents(scene).filter(isInTeam).length === 0) return null;
  await done(scene.stage.hivemind("teams", "save"));
  remember(scene);
  return "teams save";
}

function remember(scene: Scene): void {
  scene.memory.saved = agents(scene)
    .filter(isInTeam)
    .map(({ known }) => known.uuid!);
}

/** Both must succeed: one may wait for the other, and neither may lose the other's rows. */
async function twoAtOnce(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  const [one, two] = agents(scene).filter(isInTeam);
  const [team] = sessions(scene);
  if (one === undefined || two === undefined || team === undefined) return null;
  const role = memory.fresh("p");
  const refresh = ["registry", "refresh"];
  const queue = () => ["queue", "append", one.id, memory.fresh("message ")];
  const spawn = ["agent", "spawn", role, "--team", team.sessionName, "--kind", "demo"];
  const pairs = [
    [refresh, refresh],
    [["teams", "save"], refresh],
    [queue(), queue()],
    [queue(), refresh],
    [["agent", "rename", one.id, role], refresh],
    [["pane", "swap", one.id, two.id], refresh],
    [["pane", "swap", one.id, two.id], queue()],
    ...(agents(scene).length < mostAgents
      ? [
          [spawn, refresh],
          [spawn, queue()],
        ]
      : []),
  ];
  const pair = random.pick(pairs);
  const renaming = memory.agentIn(one.id)?.id;
  if (renaming !== undefined) memory.agents.get(renaming)?.roles.add(role);
  let ran: boolean[] = [];
  const added = await newPanes(scene, async () => {
    const isRefusable = ([, verb]: string[]) => verb === "swap";
    const run = (args: string[]) => (isRefusable(args) ? doneOrRefused : doneOrHeld)(stage.hivemind(...args));
    ran = await Promise.all(pair.map(run));
  });
  for (const pane of added) memory.add(pane, "agent", role);
  for (const [, verb, , text] of pair.filter((_, at) => ran[at])) {
    if (verb === "save") remember(scene);
    if (verb === "append") memory.queued(text!, one);
    if (verb === "rename") one.known.name = role;
  }
  return `at once: ${pair.map((args) => args.join(" ")).join(" and ")}`;
}

/** Killed at any moment: its row is there or not, and nothing else has changed. */
async function killCommand(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  const [pane] = agents(scene).filter(isInTeam);
  if (pane === undefined) return null;
  const text = memory.fresh("message ");
  const args = random.pick([
    ["queue", "append", pane.id, text],
    ["teams", "save"],
    ["registry", "refresh"],
    ["consistency", "fix", "--yes"],
  ]);
  const saves = snapshotsOf(stage).length;
  const afterMs = 30 + random.below(900);
  const { code } = await stage.hivemindKilled(afterMs, ...args);
  if (args[1] === "append") memory.queued(text, pane, code !== 0);
  if (snapshotsOf(stage).length > saves) remember(scene);
  return `${args.join(" ")}, killed after ${afterMs} ms${code === null ? "" : ": too late"}`;
}

/** Of any session that ever existed, also a running one. */
function deleteTranscript(scene: Scene): string | null {
  const { stage, memory, random } = scene;
  const known = memory.now().flatMap(({ known: { past } }) => [...past]);
  const uuids = [...known, ...memory.forks.map(({ parent }) => parent)];
  const files = [...new Set(uuids)].flatMap((uuid) => stage.transcriptsOf(uuid));
  if (files.length === 0) return null;
  const file = random.pick(files);
  stage.remove(file);
  return `delete transcript ${file.slice(file.lastIndexOf("/") + 1)}`;
}

/** Saves, kills the server with everything in it, looks without it, and restores. */
async function killServer(scene: Scene): Promise<string | null> {
  const { stage, memory, random } = scene;
  if (agents(scene).length === 0) return null;
  if ((await save(scene)) === null) return null;
  await stage.killServer();
  memory.serverGone();
  const withBystander = random.chance(0.5);
  if (withBystander) openBystander(scene);
  const look = random.pick([
    ["registry", "refresh"],
    ["status"],
    ["teams", "restore", "--dry-run"],
    ["consistency", "fix", "--yes"],
  ]);
  const before = whatBringsBack(scene);
  await doneOrRefused(stage.hivemind(...look));
  if (whatBringsBack(scene) !== before) {
    throw new Finding(
      `${look.join(" ")} without the server changed\n${before}\nto\n${whatBringsBack(scene)}`,
    );
  }
  await restore(scene);
  if (!withBystander) openBystander(scene);
  return `kill -9 of the server, ${look.join(" ")}, teams restore`;
}

function whatBringsBack({ stage }: Scene): string {
  const agents = stage.roster().map(({ id, role, session }) => ({ id, role, session }));
  return [JSON.stringify(agents), JSON.stringify(waitingMessages(stage))].join("\n");
}

async function restore(scene: Scene): Promise<void> {
  const { stage, memory } = scene;
  const wanted = memory.saved!.filter((uuid) => stage.transcriptsOf(uuid).length > 0);
  const before = new Map(stage.roster().map(({ id, session }) => [session, id]));
  const ran = await stage.hivemind("teams", "restore");
  if (ran.code !== 0 && ran.code !== 1) throw new Finding(`restore: exit ${ran.code}: ${ran.stderr}`);
  const holders = new Map<string, string[]>();
  for (const pane of stage.panes().filter(({ sessionName }) => sessionName !== bystander)) {
    const uuid = stage.ownWord(pane.pid)?.sessionId;
    const agent = memory.agentIn(pane.id);
    memory.add(pane, uuid === undefined ? "shell" : "agent", agent?.role ?? null);
    if (uuid === undefined) continue;
    holders.set(uuid, [...(holders.get(uuid) ?? []), pane.address]);
    const was = before.get(uuid);
    if (was !== undefined && agent?.id !== was)
      throw new Finding(`restore: ${uuid} was of @${was}, and is of @${agent?.id}`);
  }
  for (const [uuid, places] of holders) {
    if (places.length > 1) throw new Finding(`restore opened ${uuid} twice: ${places.join(", ")}`);
  }
  for (const uuid of wanted) {
    if (!holders.has(uuid)) throw new Finding(`restore did not restore ${uuid}:\n${ran.stdout}${ran.stderr}`);
  }
}

/** A team on another tmux server with the same stores: here its agents are elsewhere, and never started twice. */
async function farTeam(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  if (stage.farPid() !== null) return null;
  const [team, role] = [memory.fresh("far"), memory.fresh("e")];
  // It does not see the panes of this server: a hand-written row for one of them is an away agent there.
  for (const { known } of memory.now()) known.byHand = null;
  await done(stage.hivemindFar("team", "setup", team, role, "--kind", "demo"));
  const server = stage.farPid();
  const agent = stage.roster().find((each) => each.seat?.server === server);
  if (agent?.role !== role || agent.session === null)
    throw new Finding(`team setup on the other server: S0 has ${agent?.role} in ${agent?.session}`);
  memory.far.set(agent.id, agent.session);
  for (const words of [
    ["agent", "restart", `@${agent.id}`, "--yes"],
    ["agent", "kill", `@${agent.id}`, "--yes"],
    ["agent", "forget", `@${agent.id}`, "--yes"],
  ])
    if (await doneOrRefused(stage.hivemind(...words)))
      throw new Finding(`${words.join(" ")} of an agent on the other server was not refused`);
  return `team setup ${team} ${role} on another tmux server (@${agent.id})`;
}

/** The agents of the other server are away, and keep their roles and sessions. */
async function killFar(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  if (stage.farPid() === null) return null;
  const ids = [...memory.far.keys()];
  await stage.killFar();
  memory.far.clear();
  await done(stage.hivemind("registry", "refresh"));
  for (const id of ids) {
    const agent = stage.roster().find((each) => each.id === id);
    if (agent === undefined || agent.seat !== null)
      throw new Finding(`@${id} is not away after its server was killed`);
  }
  return "kill -9 of the other tmux server";
}

async function setupTeam(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  if (agents(scene).length + 2 > mostAgents) return null;
  const team = memory.fresh("team");
  const roles = [memory.fresh("a"), memory.fresh("a")];
  const added = await newPanes(scene, () =>
    done(stage.hivemind("team", "setup", team, ...roles, "--kind", "demo")),
  );
  if (added.length !== 2) throw new Finding(`team setup ${team}: ${added.length} panes instead of 2`);
  for (const [at, pane] of added.entries()) memory.add(pane, "agent", roles[at]!);
  return `team setup ${team} ${roles.join(" ")}`;
}

/** A tmux session that is not a team. */
export function openBystander({ stage, memory }: Scene): void {
  stage.tmux("new-session", "-d", "-x", "200", "-y", "50", "-s", bystander, "cat");
  const own = stage.panes().find(({ sessionName }) => sessionName === bystander)!;
  memory.bystander = memory.add(own, "shell", null).id;
}

export async function opened(scene: Scene): Promise<void> {
  openBystander(scene);
  await setupTeam(scene);
  await setupTeam(scene);
  await until("every agent is idle", () =>
    agents(scene).every(({ pid }) => scene.stage.ownWord(pid)?.status === "idle"),
  );
}
