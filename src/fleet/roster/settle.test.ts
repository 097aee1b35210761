import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agent, look, server, shown } from "../../../test/fleet/rosters.js";
import type { Role, TeamName } from "../../names/gates.js";
import { settle, withTeam } from "./settle.js";

describe("the roster after a look", () => {
  test.each([
    [
      "[STL1] a swap",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
      ["%2 web:0.0 2", "%1 web:0.1 1"],
      ["po web:0.1 %1 1", "qa web:0.0 %2 2"],
    ],
    [
      "[STL1] a closed pane",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
      ["%2 web:0.0 2"],
      ["po web:0.0 - 1", "qa web:0.0 %2 2"],
    ],
    ["[STL1] another program in its old place", ["po web:0.0 9%9 1"], ["%5 web:0.0 7"], ["po web:0.0 - 1"]],
    ["[STL1] a pane moved to another team", ["po web:0.0 %1 1"], ["%1 net:0.1 1"], ["po net:0.1 %1 1"]],
    ["[STL1] another session in the same pane", ["po web:0.0 %1 1"], ["%1 web:0.0 3"], ["po web:0.0 %1 1"]],
    [
      "[STL2] a new name for the tmux session",
      ["po web:0.0 %1 1", "qa web:0.1 9%2 2", "ux web:0.2 - 3"],
      ["%1 net:0.0 1 web"],
      ["po net:0.0 %1 1", "qa net:0.1 - 2", "ux net:0.2 - 3"],
    ],
    [
      "[STL2] a copy of a tmux session is not a rename",
      ["po web:0.0 %1 1", "qa web:0.1 - 2"],
      ["%1 web:0.0 1", "%2 copy:0.0 - web"],
      ["po web:0.0 %1 1", "qa web:0.1 - 2"],
    ],
    ["[STL3] an agent that the user resumed", ["po web:0.0 9%1 1"], ["%5 web:0.3 1"], ["po web:0.3 %5 1"]],
    [
      "[STL3] an agent that the user resumed in another's pane",
      ["po web:0.0 - 1", "qa web:0.1 %2 2"],
      ["%2 web:0.1 1"],
      ["po web:0.1 %2 1", "qa web:0.1 - 2"],
    ],
    [
      "[STL3] an agent that changed panes by a kill and a resume",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
      ["%2 web:0.0 2", "%3 web:0.1 1"],
      ["po web:0.1 %3 1", "qa web:0.0 %2 2"],
    ],
    [
      "[STL4] a double",
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
      ["%1 web:0.0 1", "%2 web:0.1 1"],
      ["po web:0.0 %1 1", "qa web:0.1 %2 2"],
    ],
    [
      "[STL4] the session of an agent on another server",
      ["po web:0.0 8%1 1"],
      ["%5 net:0.0 1"],
      ["po web:0.0 8%1 1"],
    ],
    [
      "[STL8] a tmux session with the name of a team on another server",
      ["po web:0.0 8%1 1", "qa web:0.1 - 2"],
      ["%5 web:0.0 2"],
      ["po web:0.0 8%1 1", "qa web:0.1 - 2"],
    ],
  ])("%s", (_, before, panes, after) => {
    const settled = settle(
      before.map((text) => agent(text)),
      look(...panes),
    );
    expect(settled.agents.map(shown)).toEqual(after);
  });

  test("[STL3] an agent that takes a seat gets the current time", () => {
    expect(settle([agent("po web:0.0 - 1")], look("%5 web:0.3 1")).agents[0]!.epoch).toBe(99_000);
  });

  test("[STL4] a double is reported with the agent that has the session", () => {
    const agents = [agent("po web:0.0 %1 1"), agent("qa web:0.1 8%2 2")];
    const { doubles } = settle(agents, look("%1 web:0.0 1", "%3 ops:0.0 1", "%4 ops:0.1 2"));
    expect(doubles.map(({ pane, holder }) => `${pane} ${holder.role}`)).toEqual(["%3 po", "%4 qa"]);
  });

  test("[STL4] an agent that reports another session is no double", () => {
    const agents = [agent("po web:0.0 %1 1"), agent("qa web:0.1 %2 2"), agent("ux web:0.2 %3 2")];
    const seen = look("%1 web:0.0 4", "%2 web:0.1 1", "%3 web:0.2 2");
    expect(settle(agents, seen).doubles).toEqual([]);
  });

  test("[STL5] of two agents with one role in one team, the one that arrived loses it", () => {
    const agents = [agent("po web:0.0 %1 1"), agent("ux net:0.0 %2 2", { role: "po" as Role })];
    const { agents: after, roleless } = settle(agents, look("%1 web:0.0 1", "%2 web:0.1 2"));
    expect(after.map(shown)).toEqual(["po web:0.0 %1 1", "(ux) web:0.1 %2 2"]);
    expect(roleless).toMatchObject([{ role: "po", holder: { id: agents[0]!.id } }]);
  });

  test("[STL5] the role of an away agent counts as taken", () => {
    const agents = [agent("ux net:0.0 %2 2", { role: "po" as Role }), agent("po web:0.0 - 1")];
    expect(settle(agents, look("%2 web:0.1 2")).agents.map(shown)).toEqual([
      "(ux) web:0.1 %2 2",
      "po web:0.0 - 1",
    ]);
  });

  test("[STL6] rows that are right stay identical", () => {
    const agents = [agent("po web:0.0 %1 1"), agent("qa web:0.1 - 2"), agent("ci ops:0.1 8%2 3")];
    const { agents: after } = settle(agents, look("%1 web:0.0 1"));
    for (const [at, row] of after.entries()) expect(row).toBe(agents[at]);
  });

  test("[STL7] a look does not judge a seat that was taken after it", () => {
    const [po, qa] = [agent("po web:0.0 %7 1"), agent("qa web:0.1 %8 2")];
    const early = { ...look(), isSeatedLater: ({ id }: { id: string }) => id === po.id };
    expect(settle([po, qa], early).agents.map(shown)).toEqual(["po web:0.0 %7 1", "qa web:0.1 - 2"]);
  });

  test("without a tmux server every agent is away, except on another server", () => {
    const agents = [agent("po web:0.0 %1 1"), agent("qa ops:0.0 8%2 2")];
    expect(settle(agents, { ...look(), server: null }).agents.map(shown)).toEqual([
      "po web:0.0 - 1",
      "qa ops:0.0 8%2 2",
    ]);
  });
});

test("the address of an agent follows the name of its team", () => {
  const renamed = [{ from: "web" as TeamName, to: "net" as TeamName }];
  expect(withTeam(agent("po web:1.2 -"), renamed)).toMatchObject({ team: "net", address: "net:1.2" });
  expect(withTeam(agent("po web:1.2 -", { address: null }), renamed)).toMatchObject({ team: "net" });
  expect(withTeam(agent("po ops:1.2 -"), renamed).team).toBe("ops");
});

const names = ["po", "qa", "ux", "dev"];
const teams = ["web", "net"];
const place = fc.tuple(fc.constantFrom(...teams), fc.nat(3)).map(([team, at]) => `${team}:0.${at}`);
const seat = fc.oneof(
  fc.constant("-"),
  fc.tuple(fc.constantFrom("", "8", "9"), fc.nat(4)).map(([pid, id]) => `${pid}%${id}`),
);
const session = fc.constantFrom("1", "2", "3", "4");

const rosters = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), place, seat, session), { selector: ([name]) => name })
  .map((rows) => rows.map((row) => agent(row.join(" "))))
  // Two agents never have one seat or one session.
  .map((rows) => {
    const taken = new Set<string>();
    const isFree = (key: string | null) => key === null || (!taken.has(key) && taken.add(key).size > 0);
    return rows.map((row) => ({
      ...row,
      seat: isFree(row.seat && `${row.seat.server.pid}${row.seat.pane}`) ? row.seat : null,
      session: isFree(row.session) ? row.session : null,
    }));
  });
const looks = fc
  .uniqueArray(fc.tuple(fc.nat(4), fc.constantFrom(...teams), session, fc.constantFrom("web", "net")), {
    selector: ([id]) => id,
  })
  .map((panes) =>
    look(...panes.map(([id, team, said, carried], at) => `%${id} ${team}:0.${at} ${said} ${carried}`)),
  );

test("[STL6] for any roster and any look, a second look changes nothing", () => {
  fc.assert(
    fc.property(rosters, looks, (agents, seen) => {
      const settled = settle(agents, seen);
      expect(settled.agents.map(({ id }) => id)).toEqual(agents.map(({ id }) => id));
      // The commit writes the new name into the tmux session.
      const after = { ...seen, panes: seen.panes.map((pane) => ({ ...pane, carriedTeam: pane.team })) };
      expect(settle(settled.agents, after).agents).toEqual(settled.agents);
    }),
    { numRuns: 1000 },
  );
});

test("[STL6] for any roster and any look, no two agents share a seat or a role of a team", () => {
  fc.assert(
    fc.property(rosters, looks, (agents, seen) => {
      const unique = (keys: (string | null)[]) => {
        const there = keys.filter((key) => key !== null);
        expect(new Set(there).size).toBe(there.length);
      };
      const { agents: after } = settle(agents, seen);
      unique(after.map(({ seat: at }) => at && `${at.server.pid} ${at.pane}`));
      const before = agents.map(({ team, role }) => `${team} ${role}`);
      if (new Set(before).size === before.length)
        unique(after.map(({ team, role }) => role && `${team} ${role}`));
      for (const { seat: at } of after)
        if (at?.server.pid === server.pid) expect(seen.panes.map(({ id }) => id)).toContain(at.pane);
    }),
    { numRuns: 1000 },
  );
});
