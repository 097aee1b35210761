import { textTable } from "../../base/text/table.js";
import type { Cli, Command, Input } from "../command.js";
import { shown } from "../output.js";
import { needPerson } from "../person.js";
import { currentWorkspace, workspaceOrNull } from "../workspace.js";

export const hooksInstall: Command = {
  words: "hooks install",
  about: "make the client report its session to hivemind",
  options: [
    { name: "project", about: "use this folder's .claude/settings.json instead of your own settings" },
    { name: "print", about: "print the settings and change nothing" },
  ],
  examples: ["hivemind hooks install", "hivemind hooks install --project", "hivemind hooks install --print"],
  notes:
    "Adds seven entries to the client's settings.json and leaves the rest unchanged. The old file is kept beside it as\n" +
    "settings.json.hivemind-backup. `hivemind hooks remove` removes the entries. Each entry runs a few lines of sh that\n" +
    "write the event, the pane and the session to hivemind's folder; this takes milliseconds and prints nothing.\n" +
    "The entry for permission requests waits beside the client's own dialog, so that you can answer from anywhere\n" +
    "(`hivemind inbox`, approve, reject, answer). Without hivemind the dialog works as ever.\n" +
    "Only a person may use this command, except with --print.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { hookReports } = hive.stores;
    const { handlers, launchSettings } = await import("../../agents/claude/hooks/handler.js");
    if (input.flag("print")) {
      cli.out.print(JSON.stringify(launchSettings(hookReports.folder), null, 2));
      if (hookReports.handlerState(handlers) !== "current") {
        cli.out.note("hivemind: these settings need the handlers, which `hivemind hooks install` writes");
      }
      return;
    }
    const { installHooks } = await settingsFile();
    const path = await settingsMeant(cli, input);
    needPerson(cli, hive, await hive.panes());
    // The step that can fail comes first. An entry without its handler does nothing, silently.
    const { changed, backup, aside } = await installHooks(path, hookReports.folder);
    const isNewHandler = hookReports.placeHandlers(handlers);
    if (!changed) {
      cli.out.print(
        `hooks are already installed in ${shown(path)}${isNewHandler ? "; the handlers were updated" : ""}`,
      );
      return;
    }
    cli.out.print(`installed hooks in ${shown(path)}`);
    if (aside !== null) cli.out.print(`kept a backup of an earlier file: ${shown(aside)}`);
    if (backup !== null) cli.out.print(`backup of the old file: ${shown(backup)}`);
    cli.out.note("hivemind: agents report after their next start");
  },
};

export const hooksRemove: Command = {
  words: "hooks remove",
  about: "remove hivemind's hooks from the client's settings",
  options: [{ name: "project", about: "from this folder's .claude/settings.json" }],
  examples: ["hivemind hooks remove", "hivemind hooks remove --project"],
  notes:
    "Keeps everything else in the file, including later changes of yours. Removes the backup too.\n" +
    "Only a person may use this command.",
  async run(cli, input) {
    const { removeHooks } = await settingsFile();
    const { backupLeft } = await import("../../base/files/edited-file.js");
    const path = await settingsMeant(cli, input);
    const hive = await cli.hive();
    needPerson(cli, hive, await hive.panes());
    const isRemoved = await removeHooks(path);
    cli.out.print(isRemoved ? `removed hooks from ${shown(path)}` : `no hivemind hooks in ${shown(path)}`);
    const left = backupLeft(path);
    if (left !== null) cli.out.print(`backup from before the hooks were installed: ${shown(left)}`);
  },
};

export const hooksStatus: Command = {
  words: "hooks status",
  about: "whether clients report to hivemind, and the last report",
  options: [{ name: "project", about: "only this folder's .claude/settings.json" }],
  examples: ["hivemind hooks status", "hivemind hooks status --json"],
  hasJson: true,
  async run(cli, input) {
    const found = await look(cli, input.flag("project"));
    if (input.flag("json")) cli.out.json(found);
    else cli.out.lines(lines(found));
  },
};

const settingsFile = () => import("../../agents/claude/hooks/settings-file.js");

/** With --project the settings of this folder, otherwise the user's. */
async function settingsMeant({ env }: Cli, input: Input): Promise<string> {
  const { projectSettings, userSettings } = await settingsFile();
  return input.flag("project") ? projectSettings(currentWorkspace().path) : userSettings(env);
}

async function look(cli: Cli, isProjectOnly: boolean) {
  const { hookReports } = (await cli.hive()).stores;
  const { handlers, statusLineCommand } = await import("../../agents/claude/hooks/handler.js");
  const file = await settingsFile();
  const here = isProjectOnly ? currentWorkspace() : workspaceOrNull();
  const project = here === null ? [] : [{ scope: "project", path: file.projectSettings(here.path) }];
  const user = isProjectOnly ? [] : [{ scope: "user", path: file.userSettings(cli.env) }];
  const places = [...user, ...project];
  const { reports, problems } = hookReports.read();
  const last = reports.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  return {
    settings: places.map((place) => ({ ...place, ...file.hooksState(place.path, hookReports.folder) })),
    handler: { folder: hookReports.folder, state: hookReports.handlerState(handlers) },
    /** The command for the client's `statusLine`, which only the user sets. */
    statusLine: {
      command: statusLineCommand(hookReports.folder),
      isSeen: reports.some(({ event }) => event === "StatusLine"),
    },
    reports: {
      waiting: reports.length,
      unreadable: problems.length,
      lastEvent: last?.event ?? null,
      lastAgeSeconds: last === undefined ? null : Math.max(0, Math.round((Date.now() - last.atMs) / 1000)),
    },
  };
}

function lines({ settings, handler, reports, statusLine }: Awaited<ReturnType<typeof look>>): string[] {
  const last =
    reports.lastEvent === null ? "none yet" : `${reports.lastEvent}, ${reports.lastAgeSeconds} s ago`;
  const isReporting = settings.some(({ state }) => state === "installed") && handler.state === "current";
  return [
    ...textTable([
      ["WHAT", "STATE", "WHERE"],
      ...settings.map(({ scope, path, state, why }) => [
        `${scope} settings`,
        why === null ? state : `${state} (${shown(why)})`,
        shown(path),
      ]),
      ["handlers", handler.state, shown(handler.folder)],
    ]),
    "",
    `unread reports: ${reports.waiting}; last: ${shown(last)}`,
    ...(isReporting ? [] : ["To turn reports on: hivemind hooks install"]),
    ...(isReporting && !statusLine.isSeen ? [statusLineHint, `  ${shown(statusLine.command)}`] : []),
  ];
}

const statusLineHint =
  "To report the context window too, set this command as statusLine in the client's settings:";
