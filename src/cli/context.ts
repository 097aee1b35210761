import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { naturalOrder } from "../base/natural-order.js";
import { textTable } from "../base/table.js";
import {
  contextIn,
  contextOfSession,
  type SessionContext,
  type Windows,
  windowsOf,
} from "../fleet/context.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { isSessionId } from "../names/gates.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { noteProblems } from "./problems.js";

export const context: Command = {
  words: "context",
  about: "how full an agent's context is; without a name, of every agent that runs",
  args: [
    {
      name: "pane",
      about: "team:window.pane, tmux's %id, a role or a session's uuid",
      meaning: "pane",
      isOptional: true,
    },
  ],
  examples: ["hivemind context", "hivemind context web4team:0.1", "hivemind context web4-po --json"],
  notes:
    "SOURCE says how hivemind knows the window: status line, settings (a switch the agent was started with), model (its\n" +
    "name, with or without [1m]), largest (the agent once used more than an ordinary window), default (a size you set).\n" +
    "Where nothing says it, the window is not known. CLAUDE_MAX_TOKENS_DEFAULT and CLAUDE_MAX_TOKENS_1M set the sizes.",
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
    return undefined;
  },
};

function everyAgent(fleet: Fleet, windows: Windows): SessionContext[] {
  return fleet.panes
    .filter(({ process }) => process !== null)
    .sort((a, b) => naturalOrder(a.address, b.address))
    .map((pane) => contextIn(pane, fleet, windows));
}

/** What an ended agent last used is no agent's context: its session is asked for by its id. */
function withAgent(pane: FleetPane, { sessions }: Fleet): FleetPane {
  if (pane.process !== null) return pane;
  const last = sessions.get(pane.id)!.uuid;
  throw new HiveError(`no agent runs in ${pane.address}`, {
    hint:
      last === null ? "see where one does: hivemind context" : `its last session: hivemind context ${last}`,
  });
}

/** Of one that was asked for, no figure is a refusal; while something could not be read, it is no answer at all. */
function known(found: SessionContext | null, typed: string, unread: ExitCode | undefined): SessionContext {
  const refuse = (message: string, hint: string): never => {
    throw new HiveError(message, { hint, exitCode: unread ?? exitCodes.refused });
  };
  if (found === null) return refuse(`there is no session ${typed}`, "see what runs: hivemind context");
  if (found.uuid === null)
    return refuse(
      `it is not known which session is in ${typed}`,
      `see why: hivemind session discover ${typed} --explain`,
    );
  if (found.isCompacted)
    return refuse(
      `session ${found.uuid} was compacted, and nobody knows yet what it uses`,
      "the next answer brings the next figure",
    );
  if (found.context === null)
    return refuse(`session ${found.uuid} has no answer yet`, "the first answer brings the first figure");
  return found;
}

type Row = ReturnType<typeof row>;

function row({ pane, uuid, model, context, isCompacted }: SessionContext) {
  return {
    pane: pane?.address ?? null,
    uuid,
    used: context?.used ?? null,
    window: context?.window ?? null,
    percent: context?.percent ?? null,
    source: context?.source ?? null,
    ageSeconds: context?.ageSeconds ?? null,
    compacted: isCompacted,
    model,
  };
}

function table(rows: readonly Row[]): string[] {
  const heading = ["PANE", "SESSION", "USED", "WINDOW", "PERCENT", "SOURCE", "AGE", "MODEL"];
  const cells = rows.map(({ used, window, percent, ageSeconds, ...row }) => [
    shown(row.pane),
    shown(row.uuid?.slice(0, 8)),
    used === null && row.uuid !== null ? whyNoFigure(row) : shown(used),
    used !== null && window === null ? "window not known" : shown(window),
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
