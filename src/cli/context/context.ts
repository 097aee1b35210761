import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { naturalOrder } from "../../base/text/natural-order.js";
import { textTable } from "../../base/text/table.js";
import {
  contextIn,
  contextOfSession,
  type SessionContext,
  type Windows,
  windowsOf,
} from "../../fleet/activity/context.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { isSessionId } from "../../names/gates.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";
import { noteProblems } from "../problems.js";

export const context: Command = {
  words: "context",
  about: "how full the context of each agent is",
  args: [
    {
      name: "pane",
      about: "team:window.pane, tmux %id, a role or a session id (default: every running agent)",
      meaning: "pane",
      isOptional: true,
    },
  ],
  examples: ["hivemind context", "hivemind context web4team:0.1", "hivemind context web4-po --json"],
  notes:
    "SOURCE is how hivemind knows the window size: status line, settings (a switch the agent was started with), model (its\n" +
    "name, with or without [1m]), largest (the agent once used more than a normal window), default (a size you set).\n" +
    "Without any of these the size is unknown. CLAUDE_MAX_TOKENS_DEFAULT and CLAUDE_MAX_TOKENS_1M set the sizes.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const fleet = await hive.observe();
    const windows = windowsOf(cli.env);
    const typed = input.arg("pane");
    const unread = noteProblems(fleet.index.problems, true, cli.out);
    const find = (name: string) => {
      const id = name.toLowerCase();
      if (isSessionId(id)) return contextOfSession(id, fleet, windows);
      return contextIn(withAgent(hive.paneNamed(fleet, name), fleet), fleet, windows);
    };
    const found = typed === undefined ? everyAgent(fleet, windows) : [known(find(typed), typed, unread)];
    const rows = found.map(row);
    if (input.flag("json")) cli.out.json({ contexts: rows });
    else if (rows.length === 0) cli.out.print("No agents are running.");
    else cli.out.table(table(rows));
  },
};

function everyAgent(fleet: Fleet, windows: Windows): SessionContext[] {
  return fleet.panes
    .filter(({ process }) => process !== null)
    .sort((a, b) => naturalOrder(a.address, b.address))
    .map((pane) => contextIn(pane, fleet, windows));
}

/** Refuses a pane without a running agent; the context of its last session can be asked for by id. */
function withAgent(pane: FleetPane, { sessions }: Fleet): FleetPane {
  if (pane.process !== null) return pane;
  const last = sessions.get(pane.id)!.uuid;
  throw new HiveError(`no agent runs in ${pane.address}`, {
    hint:
      last === null
        ? "list the running agents: hivemind context"
        : `its last session: hivemind context ${last}`,
  });
}

/** Refuses an agent without a figure; with exit code 3 if some file was unreadable. */
function known(found: SessionContext | null, typed: string, unread: ExitCode | undefined): SessionContext {
  const refuse = (message: string, hint: string): never => {
    throw new HiveError(message, { hint, exitCode: unread ?? exitCodes.refused });
  };
  if (found === null)
    return refuse(`there is no session ${typed}`, "list the running agents: hivemind context");
  if (found.uuid === null)
    return refuse(
      `the session in ${typed} is not known`,
      `see why: hivemind sessions discover ${typed} --explain`,
    );
  if (found.isCompacted)
    return refuse(
      `session ${found.uuid} was compacted; its size is not known yet`,
      "its next answer reports the size",
    );
  if (found.context === null)
    return refuse(`session ${found.uuid} has no answer yet`, "its first answer reports the size");
  return found;
}

type Row = ReturnType<typeof row>;

function row({ pane, uuid, model, context, isCompacted }: SessionContext) {
  const nothing = { used: null, window: null, percent: null, source: null, ageSeconds: null };
  const { used, window, percent, source, ageSeconds } = context ?? nothing;
  const figures = { used, window, percent, source, ageSeconds };
  return { pane: pane?.address ?? null, uuid, ...figures, compacted: isCompacted, model };
}

function table(rows: readonly Row[]): string[] {
  const heading = ["PANE", "SESSION", "USED", "WINDOW", "PERCENT", "SOURCE", "AGE", "MODEL"];
  const cells = rows.map(({ used, window, percent, ageSeconds, ...row }) => [
    shown(row.pane),
    shown(row.uuid?.slice(0, 8)),
    used === null && row.uuid !== null ? whyNoFigure(row) : shown(used),
    used !== null && window === null ? "window unknown" : shown(window),
    percent === null ? "–" : `${percent} %`,
    shown(row.source),
    ageSeconds === null ? "–" : age(ageSeconds),
    shown(row.model),
  ]);
  return textTable([heading, ...cells], ["left", "left", "right", "right", "right", "left", "right", "left"]);
}

function whyNoFigure({ compacted }: Pick<Row, "compacted">): string {
  return compacted ? "compacted" : "no answer yet";
}

function age(seconds: number): string {
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
  ] as const;
  const [unit, size] = units.find((each) => seconds >= 2 * each[1]) ?? ["s", 1];
  return `${Math.floor(seconds / size)} ${unit}`;
}
