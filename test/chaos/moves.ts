// Panes, windows and tmux sessions move: through the command, and by tmux alone.

import { type Action, bystander, doneOrRefused, movable, newPanes, type Scene, sessions } from "./action.js";
import { described } from "./lifecycle.js";
import type { Known } from "./memory.js";

export const moveActions: readonly Action[] = [
  { name: "pane swap", weight: 3, run: swapByCommand },
  { name: "pane move", weight: 3, run: moveByCommand },
  { name: "swap-pane", weight: 5, run: swapPane },
  { name: "join-pane", weight: 4, run: joinPane },
  { name: "meet", weight: 4, run: meet },
  { name: "break-pane", weight: 3, run: breakPane },
  { name: "move-window", weight: 3, run: moveWindow },
  { name: "rename-session", weight: 2, run: renameSession },
  { name: "kill-pane", weight: 3, run: killPane },
  { name: "new-session", weight: 1, run: newSession },
];

async function swapByCommand(scene: Scene): Promise<string | null> {
  const two = pickTwo(scene);
  if (two === null) return null;
  const isDone = await doneOrRefused(scene.stage.hivemind("pane", "swap", two[0].id, two[1].id));
  return `pane swap ${described(two[0])} with ${described(two[1])}${isDone ? "" : ": refused"}`;
}

async function moveByCommand(scene: Scene): Promise<string | null> {
  const two = pickTwo(scene);
  if (two === null) return null;
  const isDone = await doneOrRefused(scene.stage.hivemind("pane", "move", two[0].id, two[1].id));
  return `pane move ${described(two[0])} to ${described(two[1])}${isDone ? "" : ": refused"}`;
}

function swapPane(scene: Scene): string | null {
  const two = pickTwo(scene);
  if (two === null) return null;
  const isDone = scene.stage.tryTmux("swap-pane", "-d", "-s", two[0].id, "-t", two[1].id);
  return isDone ? `tmux swap-pane ${described(two[0])} with ${described(two[1])}` : null;
}

function joinPane(scene: Scene): string | null {
  const { stage, random } = scene;
  const two = pickTwo(scene);
  if (two === null || two[0].windowId === two[1].windowId) return null;
  stage.tryTmux("select-layout", "-t", two[1].windowId, "tiled");
  const before = random.chance(0.5) ? ["-b"] : [];
  const isDone = stage.tryTmux("join-pane", "-d", ...before, "-s", two[0].id, "-t", two[1].id);
  return isDone ? `tmux join-pane ${described(two[0])} to ${described(two[1])}` : null;
}

/** Moves an agent into a team that already has its role. */
function meet(scene: Scene): string | null {
  const { stage, memory, random } = scene;
  const all = movable(scene).map((pane) => ({ pane, agent: memory.agentIn(pane.id) }));
  const pairs = all.flatMap(({ pane, agent }) =>
    stage
      .roster()
      .filter(({ id, role, team }) => id !== agent?.id && role === agent?.role && team !== agent?.team)
      .flatMap(({ role, team }) => {
        const host = role === null ? undefined : all.find((each) => each.pane.sessionName === team);
        return host === undefined ? [] : [{ pane, host: host.pane }];
      }),
  );
  if (pairs.length === 0) return null;
  const { pane, host } = random.pick(pairs);
  stage.tryTmux("select-layout", "-t", host.windowId, "tiled");
  const isDone = stage.tryTmux("join-pane", "-d", "-s", pane.id, "-t", host.id);
  return isDone ? `tmux join-pane ${described(pane)} to one of its role, beside ${described(host)}` : null;
}

function breakPane(scene: Scene): string | null {
  const { stage, random } = scene;
  const crowded = movable(scene).filter(
    (pane) => stage.panes().filter(({ windowId }) => windowId === pane.windowId).length > 1,
  );
  if (crowded.length === 0) return null;
  const pane = random.pick(crowded);
  const isDone = stage.tryTmux("break-pane", "-d", "-s", pane.id, "-t", `${pane.sessionId}:`);
  return isDone ? `tmux break-pane ${described(pane)}` : null;
}

/** To another index, sometimes in another tmux session. */
function moveWindow(scene: Scene): string | null {
  const { stage, random } = scene;
  const all = movable(scene);
  if (all.length === 0) return null;
  const pane = random.pick(all);
  const target = random.chance(0.3) ? random.pick(all).sessionId : pane.sessionId;
  const number = 1 + random.below(9);
  const isDone = stage.tryTmux("move-window", "-d", "-s", pane.windowId, "-t", `${target}:${number}`);
  return isDone ? `tmux move-window of ${described(pane)} to ${target}:${number}` : null;
}

/** Sometimes to a name that no row can hold; the next rename ends that. */
function renameSession(scene: Scene): string | null {
  const { stage, memory, random } = scene;
  const all = movable(scene).filter(({ sessionName }) => sessionName !== bystander);
  if (all.length === 0) return null;
  const { sessionId, sessionName } = random.pick(all);
  const name = memory.fresh(random.pick(["t", "a_0_", "x-", "no team "]));
  const away = stage.roster().filter(({ team, seat }) => team === sessionName && seat === null);
  for (const { id } of away) memory.following.set(id, sessionId);
  return stage.tryTmux("rename-session", "-t", sessionId, name)
    ? `tmux rename-session ${sessionName} to ${name}`
    : null;
}

function killPane(scene: Scene): string | null {
  const all = movable(scene);
  if (all.length < 4) return null;
  const pane = scene.random.pick(all);
  return scene.stage.tryTmux("kill-pane", "-t", pane.id) ? `tmux kill-pane ${described(pane)}` : null;
}

/** A tmux session that is not a team, into which panes of teams may move. */
async function newSession(scene: Scene): Promise<string | null> {
  const { stage, memory } = scene;
  if (sessions(scene).length > 4) return null;
  const name = memory.fresh("plain");
  const start = ["new-session", "-d", "-x", "200", "-y", "50", "-s", name, "cat"];
  const [pane] = await newPanes(scene, () => stage.tmux(...start));
  memory.add(pane!, "shell", null);
  return `tmux new-session ${name}`;
}

/** Also those whose tmux session has a name that no row can hold. */
function pickTwo(scene: Scene): [Known, Known] | null {
  const all = movable(scene);
  if (all.length < 2) return null;
  const first = scene.random.pick(all);
  return [first, scene.random.pick(all.filter(({ id }) => id !== first.id))];
}
