import { UsageError } from "../../base/errors.js";
import { textTable } from "../../base/text/table.js";
import { windowsOf } from "../../fleet/activity/context.js";
import type { ContextHistory } from "../../fleet/activity/context-history.js";
import { type ContextRow, contextNamed, contextRows } from "../../fleet/activity/context-rows.js";
import { shortId } from "../../names/short-id.js";
import type { Command } from "../command.js";
import { farRead } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
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
      host: "taken",
    },
  ],
  options: [{ name: "history", about: "how full the context of PANE was after each answer" }, fleetOption],
  examples: [
    "hivemind context",
    "hivemind context web4team:0.1",
    "hivemind context web4-po --json",
    "hivemind context web4-po --history",
    "hivemind context tester@server",
  ],
  notes:
    "SOURCE is how hivemind knows the window size: status line, settings (a switch the agent was started with), model (its\n" +
    "name, with or without [1m]), largest (the agent once used more than a normal window), default (a size you set).\n" +
    "Without any of these the size is unknown. --history reads the whole conversation, and leaves out figures between\n" +
    "peaks if there are very many. CLAUDE_MAX_TOKENS_DEFAULT and CLAUDE_MAX_TOKENS_1M set the sizes.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, context, "pane");
    if (typeof input === "number") return input;
    const hive = await cli.hive();
    const fleet = await hive.observe();
    const windows = windowsOf(cli.env);
    noteProblems(fleet.index.problems, true, cli.out);
    const paneNamed = (name: string) => hive.paneNamed(fleet, name);
    if (input.flag("history")) {
      const name = input.arg("pane");
      if (name === undefined)
        throw new UsageError("--history needs PANE", { hint: "hivemind context NAME --history" });
      const { contextHistory } = await import("../../fleet/activity/context-history.js");
      const past = contextHistory(contextNamed(fleet, windows, paneNamed, name), fleet);
      if (input.flag("json")) cli.out.json(past);
      else cli.out.table(historyLines(past));
      return undefined;
    }
    const rows = contextRows(fleet, windows, paneNamed, input.arg("pane"));
    if (input.flag("json")) cli.out.json({ contexts: rows });
    else if (rows.length === 0) cli.out.print("No agents are running.");
    else cli.out.table(table(rows));
    return undefined;
  },
};

function table(rows: readonly ContextRow[]): string[] {
  const heading = ["PANE", "SESSION", "USED", "WINDOW", "PERCENT", "SOURCE", "AGE", "MODEL"];
  const cells = rows.map(({ used, window, percent, ageSeconds, ...row }) => [
    shown(row.pane),
    shown(row.uuid && shortId(row.uuid)),
    used === null && row.uuid !== null ? whyNoFigure(row) : shown(used),
    used !== null && window === null ? "window unknown" : shown(window),
    percent === null ? "–" : `${percent} %`,
    shown(row.source),
    ageSeconds === null ? "–" : age(ageSeconds),
    shown(row.model),
  ]);
  return textTable([heading, ...cells], ["left", "left", "right", "right", "right", "left", "right", "left"]);
}

function historyLines({ points, compactions, window }: ContextHistory): string[] {
  const share = (used: number) => (window === null ? "–" : `${Math.round((1000 * used) / window) / 10} %`);
  const answers = points.map(({ at, used }) => ({ at, cells: [String(used), share(used)] }));
  const compacted = compactions.map(({ at }) => ({ at: at ?? "", cells: ["compacted", ""] }));
  const rows = [...answers, ...compacted].sort((a, b) => (a.at < b.at ? -1 : 1));
  if (rows.length === 0) return ["No answer yet."];
  return textTable(
    [["TIME", "USED", "PERCENT"], ...rows.map(({ at, cells }) => [shown(at), ...cells])],
    ["left", "right", "right"],
  );
}

function whyNoFigure({ compacted }: Pick<ContextRow, "compacted">): string {
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
