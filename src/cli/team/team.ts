import { HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import { withTeam } from "../../fleet/roster/settle.js";
import { field, teamName } from "../../names/gates.js";
import { typedTmux } from "../../tmux/socket.js";
import { forgetAgents, refuseElsewhere } from "../agent/forget.js";
import { confirmOrRefuse } from "../ask.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";
import { isAgent } from "../status/show-teams.js";

export const teamRegister: Command = {
  words: "team register",
  about: "register a tmux session as a team",
  args: [
    { name: "team", about: "the name of the tmux session", meaning: "team" },
    { name: "description", about: "what the team is for", isOptional: true, takesRest: true },
  ],
  examples: ["hivemind team register web4team Web4 architecture team"],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const description = field(input.arg("description") ?? "");
    const hive = await cli.hive();
    const { panes } = await hive.panes();
    if (!panes.some(({ sessionName }) => sessionName === team)) {
      const running = [...new Set(panes.map(({ sessionName }) => shown(sessionName)))];
      const others = running.length > 0 ? `; running: ${running.join(", ")}` : "";
      throw new HiveError(`there is no tmux session "${team}"${others}`, {
        hint: typedTmux(hive.tmux.server, "new-session", "-d", "-s", team),
      });
    }
    const known = hive.stores.teams.read().rows.find((row) => row.team === team);
    if (known !== undefined && (description === "" || known.description === description)) {
      cli.out.print(`${team} is already registered: ${shown(known.description)}`);
      return;
    }
    await hive.emit({ name: "team.created", team, description });
    cli.out.print(`registered ${team}`);
  },
};

export const teamRename: Command = {
  words: "team rename",
  about: "rename a team and its tmux session",
  args: [
    { name: "team", about: "its current name", meaning: "team" },
    { name: "new", about: "its new name" },
  ],
  examples: ["hivemind team rename web4team web5team"],
  async run(cli, input) {
    const [old, renamed] = [teamName(input.need("team")), teamName(input.need("new"))];
    const hive = await cli.hive();
    return hive.whileChanging(old, async () => {
      const { panes, roster } = await hive.panes();
      const registered = hive.stores.teams.read().rows;
      const runs = (team: string) => panes.some(({ sessionName }) => sessionName === team);
      const isIn = (rows: readonly { team: string }[], name: string) =>
        rows.some(({ team }) => team === name);
      if (!runs(old) && !isIn([...registered, ...roster.agents], old))
        throw new HiveError(`there is no team "${old}"`, { hint: "hivemind team list" });
      // An earlier rename changed the tmux session but failed before the stores.
      const isBegun = roster.renamed.some(({ from, to }) => from === old && to === renamed);
      const isUsed = runs(renamed) || isIn(roster.agents, renamed);
      if (isIn(registered, renamed) || (isUsed && !isBegun))
        throw new HiveError(`there is already a team "${renamed}"`, { hint: "choose another name" });
      refuseElsewhere(
        { roster },
        roster.agents.filter(({ team }) => team === old),
      );
      if (runs(old)) await hive.renameTmuxSession(old, renamed);
      await hive.change(({ agents, renamed: found }) => {
        // The tmux session itself records its old name, and its agents have already followed.
        if (found.some(({ from, to }) => from === old && to === renamed)) return { agents };
        const wish = [{ from: old, to: renamed }];
        return { agents: agents.map((agent) => withTeam(agent, wish)), renamed: wish };
      });
      cli.out.print(`renamed ${old} to ${renamed}`);
    });
  },
};

export const teamRemove: Command = {
  words: "team remove",
  about: "forget a team, its agents and their messages",
  args: [{ name: "team", about: "a registered team", meaning: "team" }],
  asks: "forgets agents or messages of the team",
  examples: ["hivemind team remove web4team", "hivemind team remove web4team --yes"],
  notes:
    "Does not touch the tmux session or the conversations. Queued messages move to the dead/ folder of the queues.",
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const hive = await cli.hive();
    const { stores } = hive;
    return hive.whileChanging(team, async () => {
      const panes = await hive.panes();
      const agents = panes.roster.agents.filter((agent) => agent.team === team);
      const isRegistered = stores.teams.read().rows.some((row) => row.team === team);
      if (!isRegistered && agents.length === 0)
        throw new HiveError(`there is no registered team "${team}"`, { hint: "hivemind team list" });
      refuseElsewhere(panes, agents);
      const messages = agents.flatMap(({ id }) => stores.queues.read(id).messages).length;
      const goes = `${counted(agents.length, "agent")}, ${counted(messages, "queued message")}`;
      const would = agents.length > 0 ? [`forget ${goes} of ${team}`] : [];
      await confirmOrRefuse(input, { would, command: `team remove ${team}` });
      if (agents.length > 0) await forgetAgents(hive, agents);
      await hive.emit({ name: "team.destroyed", team });
      cli.out.print(`removed ${team} (${goes})`);
    });
  },
};

export const teamList: Command = {
  words: "team list",
  about: "list teams, and tmux sessions to register",
  examples: ["hivemind team list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const views = await (await hive()).viewTeams();
    const teams = views.map(({ agents, ...team }) => ({ ...team, agents: agents.filter(isAgent).length }));
    const rows = teams.map(({ team, running, registered, active, description, agents }) => [
      shown(team) + (active ? " *" : ""),
      running ? "running" : "not running",
      String(agents),
      registered ? shown(description) : "not registered",
    ]);
    const heading = ["TEAM", "STATE", "AGENTS", "DESCRIPTION"];
    if (input.flag("json")) out.json({ teams });
    else if (teams.length === 0) out.print("No teams, and no tmux sessions to register.");
    else out.table(textTable([heading, ...rows], ["left", "left", "right"]));
  },
};

export const teamSwitch: Command = {
  words: "team switch",
  about: "set the default team",
  args: [{ name: "team", about: "a running or registered team", meaning: "team" }],
  examples: ["hivemind team switch web4team"],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const hive = await cli.hive();
    const known = await hive.viewTeams();
    if (!known.some((each) => each.team === team)) {
      throw new HiveError(`there is no team "${team}"`, { hint: "hivemind team list" });
    }
    await hive.stores.activeTeam.write(team);
    cli.out.print(`active team: ${team}`);
  },
};

export const teamActive: Command = {
  words: "team active",
  about: "print the default team",
  examples: ["hivemind team active"],
  hasJson: true,
  async run({ out, hive }, input) {
    const views = await (await hive()).viewTeams();
    const stored = (await hive()).stores.activeTeam.read();
    const view = views.find(({ active }) => active);
    const running = view?.running ?? false;
    if (input.flag("json")) out.json({ team: view?.team ?? stored, running });
    if (stored === null) throw new HiveError("no team is active", { hint: "hivemind team switch TEAM" });
    if (input.flag("json")) return;
    out.print(view?.team ?? stored);
    if (!running) out.note(`hivemind: ${stored} is not running, so commands that need a team ignore it`);
  },
};
