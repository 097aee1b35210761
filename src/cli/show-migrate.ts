// What a migration would do: a few lines for a person, or an object for programs. Pure.

import { counted } from "../base/counted.js";
import type { Departure, MigrateChoice } from "../moving/departure.js";
import type { FarLook } from "../moving/migrate.js";
import { shown } from "./output.js";

export function migrateLines(
  host: string,
  { team, isDown }: MigrateChoice,
  { box, folders, isRunning, isFork }: Departure,
  { missing, noFolders, teams }: FarLook,
): string[] {
  const bytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const here = isRunning ? `; here it ${isDown ? "ends" : "goes on"}` : "";
  return [
    `${team} to ${host}: ${isFork ? "forks of its conversations go" : "its conversations go"}${here}`,
    `  sends ${counted(missing.length, "file")} of ${box.page.files.length}, ${bytes} bytes`,
    ...missing.map(({ path, sizeBytes }) => `    ${path}  ${sizeBytes}`),
    ...folders.map(
      (folder) => `  works in ${shown(folder)}${noFolders.includes(folder) ? ", which is not there" : ""}`,
    ),
    ...(noFolders.length === 0
      ? []
      : [`  make those folders on ${host}, or say where they are: --map FROM=TO`]),
    `  ${host} has ${teams.length === 0 ? "no teams yet" : `these teams: ${teams.map(shown).join(", ")}`}`,
    ...box.problems.map((problem) => `  warning: ${shown(problem)}`),
  ];
}

export function migrateJson(
  host: string,
  { team, isDown }: MigrateChoice,
  { box, folders, isRunning, isFork }: Departure,
  { missing, noFolders, teams }: FarLook,
): object {
  const { files } = box.page;
  const plan = { team, host, isFork, isRunning, isDown, folders, noFolders, farTeams: teams };
  return { ...plan, files, missing: missing.map(({ path }) => path), problems: box.problems };
}
