import { textTable } from "../base/table.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const registryList: Command = {
  words: "registry list",
  about: "the registered panes, as the stores have them",
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
    else if (rows.length === 0) out.print("Nothing is registered.");
    else {
      const cells = rows.map(({ pane, role, uuid }) => [pane, shown(role), shown(uuid)]);
      out.lines(textTable([["PANE", "ROLE", "SESSION"], ...cells]));
    }
    return undefined;
  },
};
