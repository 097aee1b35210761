import { textTable } from "../base/table.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { sizeText } from "./size-said.js";

export const sizeStatus: Command = {
  words: "size status",
  about: "each team's size lock, the sizes its windows have, and who looks at them",
  examples: ["hivemind size status"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { tmux, stores } = await hive();
    const { lookAtSizes } = await import("../layout/apply-sizes.js");
    const { counts, windowsIn } = await import("../layout/sizes.js");
    const { listing, clients } = await lookAtSizes(tmux);
    const locks = new Map(stores.sizeLocks.read().rows.map((row) => [row.team, row]));
    const names = new Map(listing.sessions.map(({ id, name }) => [id, name]));
    const known = new Set([...stores.teams.read().rows.map(({ team }) => team), ...locks.keys()]);
    const teams = [...known].sort().map((team) => {
      const lock = locks.get(team);
      return {
        team,
        lock: lock === undefined ? null : { width: lock.width, height: lock.height },
        running: listing.sessions.some(({ name }) => name === team),
        windows: windowsIn(listing)
          .filter(({ shownBy }) => shownBy.includes(team))
          .map(({ id, width, height }) => ({ id, width, height })),
        clients: clients
          .filter(({ sessionId }) => names.get(sessionId) === team)
          .map((client) => ({
            name: client.name,
            width: client.width,
            height: client.height,
            readOnly: client.readOnly,
            counts: counts(client, clients),
          })),
      };
    });
    if (input.flag("json")) {
      out.json({ teams });
      return undefined;
    }
    if (teams.length === 0) {
      out.print("No teams, and no size locks.");
      return undefined;
    }
    const rows = teams.map(({ team, lock, running, windows, clients }) => [
      team,
      shown(lock && sizeText(lock)),
      running ? shown([...new Set(windows.map(sizeText))].join(", ")) : "not running",
      shown(
        clients
          .filter((each) => each.counts)
          .map((each) => `${shown(each.name)} ${sizeText(each)}`)
          .join(", "),
      ),
    ]);
    out.lines(textTable([["TEAM", "LOCK", "SIZES", "SIZED BY"], ...rows]));
    return undefined;
  },
};
