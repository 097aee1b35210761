// The team file that a command means, and what is wrong with it.

import { HiveError } from "../base/errors.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { Cli } from "./cli.js";
import type { Input, Option } from "./command.js";
import { shown } from "./output.js";

export const teamFileOptions: readonly Option[] = [
  {
    name: "file",
    value: "path",
    about: "the team file, or its folder; else the nearest above",
    meaning: "path",
  },
  {
    name: "project",
    value: "name",
    about: "which one, where a file of teamctl has several",
    meaning: "text",
  },
];

/** Says all that is wrong with it, a line each, and what of it is not used. */
export async function teamFileMeant(cli: Cli, input: Input): Promise<TeamFile> {
  const { loadTeamFile, TeamFileError } = await import("../teamfile/load-team-file.js");
  const { workspaceHere } = await import("./here.js");
  const [file, project] = [input.option("file"), input.option("project")];
  try {
    const team = loadTeamFile({ from: workspaceHere().path, env: cli.env, file, project });
    for (const note of team.notes) cli.out.note(`hivemind: ${shown(note)}`);
    return team;
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    for (const line of error.lines) cli.out.note(shown(line));
    const { count } = error;
    throw new HiveError(
      `the team file has ${count === 1 ? "a problem" : `${count} problems`}; nothing was done`,
      {
        hint: "what may stand in it: hivemind init --keys",
      },
    );
  }
}
