import { HiveError } from "../base/errors.js";
import { field, teamName } from "../names/gates.js";
import { typedTmux } from "../tmux/socket.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const teamRegister: Command = {
  words: "team register",
  about: "make a tmux session a team",
  args: [
    { name: "team", about: "the tmux session's name", meaning: "team" },
    {
      name: "description",
      about: "what the team is for",
      meaning: "text",
      isOptional: true,
      takesRest: true,
    },
  ],
  examples: ["hivemind team register web4team Web4 architecture team"],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const description = field(input.arg("description") ?? "");
    const hive = await cli.hive();
    const { panes } = await hive.panes();
    if (!panes.some(({ sessionName }) => sessionName === team)) {
      const running = [...new Set(panes.map(({ sessionName }) => shown(sessionName)))];
      const others = running.length > 0 ? `; running are: ${running.join(", ")}` : "";
      throw new HiveError(`there is no tmux session "${team}"${others}`, {
        hint: typedTmux(hive.tmux.server, "new-session", "-d", "-s", team),
      });
    }
    const known = hive.stores.teams.read().rows.find((row) => row.team === team);
    if (known !== undefined && (description === "" || known.description === description)) {
      cli.out.print(`${team} is registered already: ${shown(known.description)}`);
      return undefined;
    }
    await hive.emit({ name: "team.created", team, description });
    cli.out.print(`registered ${team}`);
    return undefined;
  },
};
