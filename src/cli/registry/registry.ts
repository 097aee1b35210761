import { textTable } from "../../base/text/table.js";
import { findPaneIn, rowAddress } from "../../fleet/find-pane.js";
import type { RefreshPlan, UnnamedAgent } from "../../fleet/roster/refresh.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { reportedSession } from "../../fleet/roster/roster.js";
import type { RefreshDone } from "../../hive/hive.js";
import { addressParts, role as roleGate, sessionId, teamName } from "../../names/gates.js";
import { withRole } from "../../teams/start/seating.js";
import { type Cli, type Command, ifGiven } from "../command.js";
import { shown } from "../output.js";

export const registrySet: Command = {
  words: "registry set",
  about: "set the role (and session) of a pane",
  args: [
    { name: "pane", about: "team:window.pane or tmux %id", meaning: "pane" },
    { name: "role", about: "its role in the team", meaning: "role" },
    { name: "uuid", about: "the session in this pane", isOptional: true },
  ],
  examples: ["hivemind registry set web4team:0.1 web4-architect"],
  notes: "If the client itself reports another session, that one is used.",
  async run(cli, input) {
    const role = roleGate(input.need("role"));
    const uuid = ifGiven(input.arg("uuid"), sessionId) ?? null;
    const hive = await cli.hive();
    const pane = findPaneIn(await hive.panes(), input.need("pane"));
    const address = rowAddress(pane, hive.tmux.server);
    const kind = isAgent(pane) ? pane.kind : "";
    const reported = reportedSession(pane);
    const { team } = addressParts(address);
    const wish = { pane: { id: pane.id, address }, team, kind, role, session: uuid };
    await hive.whileChanging(team, () =>
      hive.change((roster) => ({ agents: withRole(roster, wish, reported, Date.now()) })),
    );
    const before = pane.agent?.role ?? null;
    cli.out.print(`${address} is ${role}${before !== null && before !== role ? `, was ${before}` : ""}`);
    if (uuid !== null && reported !== null && reported !== uuid)
      cli.out.note(`its client reports session ${reported}`);
  },
};

export const registryList: Command = {
  words: "registry list",
  about: "list the registered panes as stored",
  examples: ["hivemind registry list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { stores } = await hive();
    const roles = new Map(stores.roles.read().rows.map((row) => [row.pane, row]));
    const sessions = new Map(stores.sessions.read().rows.map((row) => [row.pane, row.uuid]));
    const panes = [...new Set([...roles.keys(), ...sessions.keys()])].sort();
    const rows = panes.map((pane) => ({
      pane,
      role: roles.get(pane)?.role ?? null,
      uuid: sessions.get(pane) ?? null,
      epoch: roles.get(pane)?.epoch ?? null,
    }));
    if (input.flag("json")) out.json({ rows });
    else if (rows.length === 0) out.print("No pane is registered.");
    else {
      const cells = rows.map(({ pane, role, uuid }) => [pane, shown(role), shown(uuid)]);
      out.lines(textTable([["PANE", "ROLE", "SESSION"], ...cells]));
    }
  },
};

export const registryRefresh: Command = {
  words: "registry refresh",
  about: "update roles, sessions and queues from what runs",
  args: [
    {
      name: "team",
      about: "only this team (default: every registered team)",
      meaning: "team",
      isOptional: true,
    },
  ],
  examples: ["hivemind registry refresh", "hivemind registry refresh web4team"],
  notes:
    "updated: agents with a role, now up to date. broken: sessions without a transcript.\n" +
    "A team that is not running keeps its rows. Types nothing into any pane.",
  hasJson: true,
  async run(cli, input) {
    const team = ifGiven(input.arg("team"), teamName);
    const hive = await cli.hive();
    const plan =
      team === undefined ? await hive.refreshAll() : await hive.whileChanging(team, () => hive.refresh(team));
    if (input.flag("json")) cli.out.json(asJson(plan));
    else {
      cli.out.print(`updated=${plan.updated} broken=${plan.broken}`);
      for (const line of remarks(cli, plan)) cli.out.note(line);
    }
  },
};

function asJson({ updated, broken, forkRows, unnamed, warnings, events, elsewhere }: RefreshDone) {
  return {
    updated,
    broken,
    agents: forkRows.map(({ pane, role, uuid, state, parent }) => ({ pane, role, uuid, state, parent })),
    unnamed,
    warnings,
    events,
    elsewhere,
  };
}

function remarks({ self }: Cli, { unnamed, warnings, elsewhere }: RefreshPlan): string[] {
  const lines = [...warnings.map((warning) => `warning: ${shown(warning)}`), ...unnamedLines(self, unnamed)];
  for (const name of elsewhere) {
    lines.push(`agents run in ${shown(name)}, which is not a team`, `  hivemind team register ${name}`);
  }
  return lines;
}

/** What to type for agents without a role. */
export function unnamedLines(self: string, unnamed: readonly UnnamedAgent[]): string[] {
  return unnamed.flatMap(({ pane, why }) => [
    `unnamed: ${shown(pane)} (${shown(why)})`,
    `  ${self} agent adopt ${shown(pane)} --role ROLE`,
  ]);
}
