// Conversations without a pane on a terminal. Pure: views in, lines out.

import { textTable } from "../base/table.js";
import type { BackgroundView } from "../fleet/background-view.js";
import { type Colours, shown } from "./output.js";
import { clipped, shortId } from "./show-sessions.js";

const heading = ["SESSION", "NAME", "ACTIVITY", "PARENT", "JOB", "FOLDER"];

export function backgroundLines(background: readonly BackgroundView[], colours: Colours): string[] {
  const rows = background.map(({ uuid, name, activity, waitingFor, parent, job, cwd }) => [
    shortId(uuid),
    clipped(name),
    shown(waitingFor === null ? activity : `${activity}: ${waitingFor}`),
    parent === null ? "–" : shortId(parent),
    job,
    shown(cwd),
  ]);
  const table = textTable([heading, ...rows], ["left"]).map((line) => `  ${line}`);
  return [
    `${colours.bold("background")}  ${colours.dim("without a pane; show one: claude attach JOB")}`,
    ...table,
  ];
}

export function backgroundCount(background: readonly BackgroundView[]): string {
  const sessions = background.length === 1 ? "1 session runs" : `${background.length} sessions run`;
  return `${sessions} in the background: hivemind status`;
}
