import { HiveError } from "../base/errors.js";
import { addressParts, teamName } from "../names/gates.js";
import { agreedTo } from "./agreement.js";
import type { Command } from "./command.js";

export const teamRemove: Command = {
  words: "team remove",
  about: "forget a team: its row, roles, sessions and queues",
  args: [{ name: "team", about: "a registered team", meaning: "team" }],
  asks: "forgets roles, sessions or queued messages of the team",
  examples: ["hivemind team remove web4team", "hivemind team remove web4team --yes"],
  notes:
    "The tmux session and the conversations stay as they are. Queued messages are kept in the queues' dead/ folder.",
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const { teamsTouched } = await import("./placed.js");
    const { whileChangingAll } = await import("./while-changing.js");
    const hive = await cli.hive();
    const { stores, emit } = hive;
    const touched = teamsTouched(await hive.panes());
    return whileChangingAll(hive, [team, ...touched], async () => {
      // An agent that went to another team keeps what is its own. A name that is only borrowed has nobody in it.
      const { shifts } = await hive.panes();
      if (!shifts.borrowed.has(team)) await hive.followMoves(team);
      const isOwn = ({ pane }: { pane: Parameters<typeof addressParts>[0] }) =>
        addressParts(pane).team === team;
      const roles = stores.roles.read().rows.filter(isOwn).length;
      const sessions = stores.sessions.read().rows.filter(isOwn).length;
      const queues = stores.queues.panes().filter((pane) => isOwn({ pane }));
      const messages = queues.flatMap((pane) => stores.queues.read(pane).messages).length;
      const isRegistered = stores.teams.read().rows.some((row) => row.team === team);
      if (!isRegistered && roles + sessions + messages === 0) {
        throw new HiveError(`there is no registered team "${team}"`, { hint: "hivemind team list" });
      }
      const goes = `${roles} roles, ${sessions} sessions, ${messages} queued messages`;
      const would = roles + sessions + messages > 0 ? [`forget ${goes} of ${team}`] : [];
      await agreedTo(input, { would, command: `team remove ${team}` });
      await emit({ name: "team.destroyed", team });
      cli.out.print(`removed ${team} (${goes})`);
      return undefined;
    });
  },
};
