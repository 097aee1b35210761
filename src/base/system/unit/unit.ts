// A unit of one user: a program that the system's own manager keeps running. systemd on Linux, launchd on macOS.

export interface UnitWish {
  /** One word. */
  name: string;
  /** The command that makes this file, and the one that removes it again: for the comment in the file. */
  madeBy: readonly [string, string];
  about: string;
  /** The program is an absolute path. */
  program: readonly [string, ...string[]];
  variables: ReadonlyMap<string, string>;
  /** Where the program's output goes if the manager has no log of its own. */
  logPath: string;
  /** How many of the folders around the file we made. */
  madeFolders: number;
}

export interface UnitState {
  state: "running" | "restarting" | "failed" | "stopped" | "unreachable";
  /** The program's process. */
  pid: number | null;
  /** Whether it starts with the user's next login; null if the manager cannot be asked. */
  isEnabled: boolean | null;
  /** In the manager's words. */
  why: string | null;
}

export interface UnitManager {
  /** For messages. */
  title: string;
  pathOf(name: string): string;
  /** The whole file. Refuses what the file cannot hold. */
  textOf(wish: UnitWish): string;
  /** Why no manager of this user answers here, and what to type; null if one does. */
  missing(): Promise<{ why: string; cure: string | null } | null>;
  look(name: string): Promise<UnitState>;
  /** Starts the unit now, and at each login from now on. One whose file was replaced starts again. */
  start(name: string, isNew: boolean): Promise<void>;
  /** Ends the unit. Succeeds if the manager does not know it. */
  stop(name: string): Promise<void>;
  /** Tells the manager that the file has changed or is gone. */
  reread(name: string): Promise<void>;
  /** Traces beside the file that are left if nobody could ask the manager. */
  removeTraces(name: string): void;
  /** What a person types; `log` is null if the log is the file of the wish. */
  commands(name: string): { start: string; log: string | null };
  /** What else a person may want to know after an installation. */
  afterwards: readonly string[];
}

/** The line by which we know a file of ours; `readMade` reads it. */
export function madeLine(madeFolders: number): string {
  return `hivemind made this file and ${madeFolders} folders around it`;
}

/** How many folders; null if the file is not ours. */
export function readMade(text: string): number | null {
  const found = /^(?:# |<!-- )hivemind made this file and (\d{1,3}) folders around it(?: -->)?$/m.exec(text);
  return found === null ? null : Number(found[1]);
}
