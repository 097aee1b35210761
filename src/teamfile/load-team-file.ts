// Finds and reads a team file. Returns the team, or one error with everything that is wrong.

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode, exitCodes, HiveError } from "../base/errors.js";
import { realPath } from "../base/files/real-path.js";
import { limits } from "../limits.js";
import { findTeamFile, isTeamctl } from "./find-team-file.js";
import { type Problem, problemLine } from "./problem.js";
import { type FilePlace, readTeamFile } from "./read-team-file.js";
import type { TeamFile } from "./team-file.js";
import { readCompose, readProject } from "./teamctl.js";
import { refuseForeignFile } from "./whose-file.js";

export interface WantedFile {
  /** The current folder. */
  from: string;
  /** For the home folder: `~` means it, and the search upward ends there. */
  env: NodeJS.ProcessEnv;
  /** A file or folder that is given. */
  file?: string | undefined;
  /** Needed if a file of teamctl has several projects. */
  project?: string | undefined;
}

/** The message has the first problem, `lines` has all. */
export class TeamFileError extends HiveError {
  override name = "TeamFileError";
  readonly lines: readonly string[];
  readonly count: number;

  constructor(path: string, problems: readonly Problem[]) {
    const lines = problems.slice(0, limits.teamFileProblems).map((problem) => problemLine(path, problem));
    const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : "";
    super(`${lines[0]}${others}`);
    this.lines = lines;
    this.count = problems.length;
  }
}

/** As it is, also if something in it is wrong. */
export function teamFileText({ from, env }: Pick<WantedFile, "from" | "env">): {
  path: string;
  text: string;
} {
  const path = findTeamFile({ from, home: homeIn(env), file: undefined });
  return { path, text: textOf(path) };
}

function homeIn(env: NodeJS.ProcessEnv): string | null {
  return env.HOME ? (realPath(env.HOME) ?? env.HOME) : null;
}

export function loadTeamFile({ from, env, file, project }: WantedFile): TeamFile {
  const home = homeIn(env);
  const path = findTeamFile({ from, home, file });
  const place = { path, folder: realPath(dirname(path)) ?? dirname(path), home };
  if (isTeamctl(path)) return chosenProject(place, project);
  const read = readTeamFile(textOf(path), place);
  if ("problems" in read) throw new TeamFileError(path, read.problems);
  if (project !== undefined && project !== read.team.project)
    throw noProject(path, project, [read.team.project]);
  return read.team;
}

function chosenProject(place: FilePlace, wanted: string | undefined): TeamFile {
  const { projects, unused, problems } = readCompose(textOf(place.path));
  if (problems.length > 0) throw new TeamFileError(place.path, problems);
  const all = projects.map(({ file, ...at }) => {
    const path = resolve(place.folder, file);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      throw new TeamFileError(place.path, [{ ...at, message: `there is no file ${path}` }]);
    }
    return { path, ...readProject(textOf(path), { ...place, path }, unused) };
  });
  const [found, second] = wanted === undefined ? all : all.filter(({ id }) => id === wanted);
  const ids = all.flatMap(({ id }) => id ?? []);
  if (found === undefined) throw noProject(place.path, wanted!, ids);
  if (second !== undefined) {
    if (wanted !== undefined)
      throw new HiveError(`${found.path} and ${second.path} are both project ${wanted}`);
    throw new HiveError(`there are several projects in ${place.path}: ${ids.join(", ")}`, {
      hint: `choose one: --project ${ids[0] ?? "NAME"}`,
    });
  }
  if ("problems" in found.read) throw new TeamFileError(found.path, found.read.problems);
  return found.read.team;
}

function noProject(path: string, wanted: string, ids: readonly string[]): HiveError {
  return new HiveError(`there is no project "${wanted}" in ${path}`, { hint: `it has: ${ids.join(", ")}` });
}

/** Every file of a team is read here, after the check that no other user can replace it. */
function textOf(path: string): string {
  try {
    refuseForeignFile(path);
    const stat = statSync(path);
    if (!stat.isFile()) throw new HiveError(`${path} is not a file`);
    if (stat.size > limits.teamFileBytes) {
      throw new HiveError(`${path} has ${stat.size} bytes; a team file has at most ${limits.teamFileBytes}`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof HiveError) throw error;
    const why =
      errorCode(error) === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : errorCode(error);
    throw new HiveError(`${path} is unreadable: ${why}`, { exitCode: exitCodes.couldNotLook, cause: error });
  }
}
