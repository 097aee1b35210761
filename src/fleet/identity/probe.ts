// The invasive way to learn a session's id: types `/status`, reads its dialog and closes it. Only on request.
//
// - Types nothing unless the agent reports that it is idle and its input box is empty. A suggestion counts as empty. For
//   a client that reports nothing, its screen has to show that it is idle.
// - Presses Enter once, only if the box shows exactly the typed text.
// - Presses Escape once, only while the dialog is visible: never into a busy agent.
// - A partial id, or only a name, counts if exactly one known session matches it.

import { setTimeout as rest } from "node:timers/promises";
import { need } from "../../agents/abilities.js";
import type { Agent, SeenActivity, ShownStatus } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import type { Box } from "../../agents/box.js";
import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { isSessionId, type SessionId } from "../../names/gates.js";
import { capturePane } from "../../tmux/capture.js";
import { pasteText, sendKeys } from "../../tmux/keys.js";
import type { Tmux } from "../../tmux/tmux.js";
import { activityOf } from "../activity/activity.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";

/** `isClosed`: the box was empty again afterwards. */
export async function probe(tmux: Tmux, pane: FleetPane): Promise<{ shown: ShownStatus; isClosed: boolean }> {
  const agent = agentOfKind(pane.kind);
  if (agent !== null) need(agent, "probe");
  const { readBox = () => none } = agent?.keyboard ?? {};
  const { command, isDialog } = agent?.screen?.status ?? { command: "/status", isDialog: true };
  const lines = await look(tmux, pane);
  const isSilent = agent !== null && agent.registry?.reports === undefined;
  const why = refusalOf(
    pane,
    readBox(lines),
    isSilent ? agent.screen?.readActivity(lines, Date.now()) : undefined,
  );
  if (agent === null || why !== null) {
    throw new HiveError(`did not probe ${pane.address}: ${why}`, {
      hint: `find the session without typing: hivemind sessions discover ${pane.id} --explain`,
    });
  }
  // Pasted, because in vim's NORMAL mode typed letters would act as commands.
  await pasteText(tmux, pane.id, command);
  await rest(limits.probeRestMs);
  const isTyped = await until(limits.probeEchoMs, async () => {
    const box = readBox(await look(tmux, pane));
    return box.kind === "draft" && box.text === command ? true : null;
  });
  if (isTyped === null) {
    throw new HiveError(`typed ${command} into ${pane.address}, but its input box does not show it`, {
      hint: "Enter was not pressed: look at the pane",
    });
  }
  await rest(agent.keyboard?.pasteRestMs ?? 0);
  await sendKeys(tmux, pane.id, ["Enter"]);
  const shown = await dialogOf(tmux, pane, agent, command);
  if (isDialog) await sendKeys(tmux, pane.id, ["Escape"]);
  const isClosed = await until(limits.probeEchoMs, async () =>
    isEmpty(readBox(await look(tmux, pane))) ? true : null,
  );
  return { shown, isClosed: isClosed === true };
}

/** Why nothing may be typed into this pane; null if typing is safe. */
export function refusalOf(pane: FleetPane, box: Box, screen?: SeenActivity | null): string | null {
  const { activity } = activityOf(pane, null, screen);
  if (pane.dead) return "its program has ended";
  if (pane.process === null) return "no agent runs in it";
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its window's panes are synchronized: all of them would get the keys";
  if (activity === "waiting") return `its agent is waiting: ${pane.live?.waitingFor ?? "a dialog is open"}`;
  if (activity === "unknown") return "its agent does not report whether it is idle";
  if (activity !== "idle") return `its agent is ${activity}`;
  if (isEmpty(box)) return null;
  if (box.kind === "draft") return "its input box holds a draft";
  return box.kind === "dialog" ? "a dialog is open" : "its input box is not visible";
}

/** Every known session with its name. */
export type Known = ReadonlyMap<SessionId, string | null>;

export function knownSessions({ index, panes }: Pick<Fleet, "index" | "panes">): Known {
  const written = index.transcripts.map(({ id, facts }) => [id, facts.title] as const);
  const running = panes.flatMap(({ live }) => (live === null ? [] : [[live.sessionId, live.name] as const]));
  return new Map([...written, ...running]);
}

/** `by`: which part of the dialog identified it. */
export function identify(
  { id, name }: ShownStatus,
  known: Known,
): { uuid: SessionId; by: "id" | "beginning" | "name" } | null {
  if (id !== null && isSessionId(id)) return { uuid: id, by: "id" };
  if (id !== null) {
    const [uuid, other] = [...known.keys()].filter((each) => each.startsWith(id));
    const isEnough = id.length >= tellingLength && uuid !== undefined && other === undefined;
    return isEnough ? { uuid, by: "beginning" } : null;
  }
  const [uuid, other] = [...known].filter(([, each]) => name !== null && each === name).map(([each]) => each);
  return uuid !== undefined && other === undefined ? { uuid, by: "name" } : null;
}

const none: Box = { kind: "none" };
/** Up to the first dash: fewer digits could also match unknown sessions. */
const tellingLength = 8;

/** Waits until the dialog is fully drawn, or already shows a whole id. */
async function dialogOf(tmux: Tmux, pane: FleetPane, agent: Agent, command: string): Promise<ShownStatus> {
  let before = "";
  const shown = await until(limits.probeDialogMs, async () => {
    const screen = await look(tmux, pane);
    const status = agent.screen?.readStatus?.(screen) ?? null;
    const isDrawn = screen.join("\n") === before || isSessionId(status?.id ?? "");
    before = screen.join("\n");
    return isDrawn ? status : null;
  });
  if (shown !== null) return shown;
  throw new HiveError(`entered ${command} in ${pane.address}, but no status dialog appeared`, {
    hint: "no other key was pressed: look at the pane",
  });
}

async function look(tmux: Tmux, { id }: FleetPane): Promise<string[]> {
  return (await capturePane(tmux, id, { escapes: true })).replace(/\n$/, "").split("\n");
}

function isEmpty({ kind }: Box): boolean {
  return kind === "empty" || kind === "suggestion";
}

async function until<T>(timeoutMs: number, seen: () => Promise<T | null>): Promise<T | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await seen();
    if (found !== null || performance.now() > end) return found;
    await rest(limits.probePollMs);
  }
}
