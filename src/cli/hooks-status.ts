import { textTable } from "../base/table.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { workspaceHere, workspaceOrNull } from "./here.js";
import { shown } from "./output.js";

export const hooksStatus: Command = {
  words: "hooks status",
  about: "whether clients report to hivemind, and when they last did",
  options: [{ name: "project", about: "only .claude/settings.json of this folder" }],
  examples: ["hivemind hooks status", "hivemind hooks status --json"],
  hasJson: true,
  async run(cli, input) {
    const found = await look(cli, input.flag("project"));
    if (input.flag("json")) cli.out.json(found);
    else cli.out.lines(lines(found));
    return undefined;
  },
};

async function look(cli: Cli, isProjectOnly: boolean) {
  const { hookReports } = (await cli.hive()).stores;
  const { handler, statusLineCommand } = await import("../agents/claude/hooks/handler.js");
  const file = await import("../agents/claude/hooks/settings-file.js");
  const here = isProjectOnly ? workspaceHere() : workspaceOrNull();
  const project = here === null ? [] : [{ scope: "project", path: file.projectSettings(here.path) }];
  const user = isProjectOnly ? [] : [{ scope: "user", path: file.userSettings(cli.env) }];
  const places = [...user, ...project];
  const { reports, problems } = hookReports.read();
  const last = reports.toSorted((a, b) => a.atMs - b.atMs).at(-1);
  return {
    settings: places.map(({ scope, path }) => ({
      scope,
      path,
      ...file.hooksState(path, hookReports.folder),
    })),
    handler: { folder: hookReports.folder, state: hookReports.handlerState(handler) },
    /** For the client's `statusLine`, which nobody but its user sets. */
    statusLine: { command: statusLineCommand(hookReports.folder), isSeen: reports.some(isStatusLine) },
    reports: {
      waiting: reports.length,
      unreadable: problems.length,
      lastEvent: last?.event ?? null,
      lastAgeSeconds: last === undefined ? null : Math.max(0, Math.round((Date.now() - last.atMs) / 1000)),
    },
  };
}

function isStatusLine({ event }: { event: string }): boolean {
  return event === "StatusLine";
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
      ["handler", handler.state, shown(handler.folder)],
    ]),
    "",
    `reports waiting: ${reports.waiting}; the last: ${shown(last)}`,
    ...(isReporting ? [] : ["To have clients report: hivemind hooks install"]),
    ...(isReporting && !statusLine.isSeen ? statusLineHint(statusLine.command) : []),
  ];
}

function statusLineHint(command: string): string[] {
  return [
    "To have them report their context window too, set this command as statusLine in the client's settings:",
    `  ${shown(command)}`,
  ];
}
