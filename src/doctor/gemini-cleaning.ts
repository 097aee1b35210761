// Agents of Gemini CLI that share a folder: a start of one deletes the sessions of the others without a message.

import { join } from "node:path";
import { isCleanedUp } from "../agents/gemini/settings.js";
import { groupBy } from "../base/group-by.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { FleetPane } from "../fleet/panes.js";
import { type Check, type Found, warning } from "./check.js";

export const geminiCleaning: Check = {
  id: "gemini cleaning",
  title: "no start of Gemini CLI deletes the session of another agent",
  async look(world) {
    return cleaningFindings((await world.panes()).panes, isCleanedUp);
  },
};

export function cleaningFindings(
  panes: readonly Pick<FleetPane, "kind" | "address" | "folder" | "live" | "cwd">[],
  isCleaned: (folder: string, cwd: string) => boolean,
): Found[] {
  const own = panes.filter(({ kind, folder }) => kind === "gemini" && folder !== null);
  const groups = groupBy(own, ({ folder, live, cwd }) => JSON.stringify([folder, live?.cwd ?? cwd]));
  return [...groups].flatMap(([key, sharing]) => {
    const [folder, cwd] = JSON.parse(key) as [string, string];
    if (sharing.length < 2 || !isCleaned(folder, cwd)) return [];
    const who = sharing.map(({ address }) => harmless(address)).join(", ");
    return warning(
      `${who} run Gemini CLI in ${harmless(cwd)}: a start there deletes the sessions without a message`,
      `set "general": {"sessionRetention": {"enabled": false}} in ${join(folder, "settings.json")}`,
    );
  });
}
