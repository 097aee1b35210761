// A team whose agents have all ended: nothing but the stores and the marks knows whose session and messages are whose.

import type { Hive } from "../src/hive.js";
import { enqueue } from "../src/messages/send.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../src/names/gates.js";

const sessions = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "b63de03a-6d49-5f14-9be3-0aac60a859ed", null];

/** `r0`, `r1` and `r2` in the panes of this team, two messages for each; the last of them never had a session. */
export async function endedTeam(hive: Hive, team: TeamName): Promise<void> {
  await hive.emit({ name: "team.created", team, description: "d" });
  const { panes, server } = await hive.panes();
  const own = panes.filter(({ sessionName }) => sessionName === team);
  for (const [number, uuid] of sessions.entries()) {
    const pane = own[number]!;
    const role = `r${number}` as Role;
    const address = pane.address as PaneAddress;
    await hive.emit({ name: "agent.spawned", pane: address, role, uuid: uuid as SessionId | null });
    for (const text of [`for ${role}`, `and for ${role}`])
      await enqueue(hive, { server }, pane, "inform", text);
  }
}

/** All that is known of each role, wherever that stands. */
export async function knownRoles(hive: Hive) {
  const { stores } = hive;
  const sessionAt = new Map(stores.sessions.read().rows.map(({ pane, uuid }) => [pane, uuid]));
  const holdAt = new Map(stores.holds.read().rows.map(({ pane, by }) => [pane, by]));
  const markAt = new Map((await hive.panes()).panes.map(({ address, mark }) => [address, mark?.role]));
  const rows = stores.roles.read().rows.map(({ pane, role }) => [
    role,
    {
      session: sessionAt.get(pane),
      hold: holdAt.get(pane),
      mark: markAt.get(pane),
      messages: stores.queues.read(pane).messages.map(({ text }) => text),
    },
  ]);
  return Object.fromEntries(rows);
}
