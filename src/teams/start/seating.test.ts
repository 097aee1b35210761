import { describe, expect, test } from "vitest";
import { agentRow, madeServer, pane, rosterOf, seated } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { PaneAddress, PaneId, Role, TeamName } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { type Seating, seat, unseat } from "./seating.js";

const now = 1_800_000_000_000;
const place = { id: "%web:0.0" as PaneId, address: "web:0.0" as PaneAddress };
const seating = (facts: Partial<Seating> = {}): Seating => ({
  pane: place,
  team: "web" as TeamName,
  role: "po" as Role,
  kind: "claude",
  session: idOf(1),
  ...facts,
});
const away = (role: string | null, facts: Partial<AgentRow> = {}) => agentRow("web:0.4", role, facts);
const sitter = (role: string | null, facts: Partial<AgentRow> = {}) =>
  pane("web:0.0", { agent: seated("web:0.0", role, facts) });

describe("which agent gets the seat", () => {
  const other = seated("web:0.1", "dev");
  test.each<[string, ReturnType<typeof rosterOf>, Partial<Seating>, string | null]>([
    [
      "[SEA1] the agent that is given",
      rosterOf([], [away("dev")]),
      { agent: away("dev").id, role: null },
      away("dev").id,
    ],
    ["[SEA2] the away agent with that role", rosterOf([], [away("po")]), {}, away("po").id],
    ["[SEA2] the agent of the pane, with that role", rosterOf([sitter("po")]), {}, sitter("po").agent!.id],
    [
      "[SEA2] the away agent that has the session",
      rosterOf([], [agentRow("net:0.5", "qa", { session: idOf(1) })]),
      {},
      agentRow("net:0.5", "qa").id,
    ],
    ["[SEA2] the unnamed agent of the pane", rosterOf([sitter(null)]), {}, sitter(null).agent!.id],
    [
      "[SEA2] the agent of the pane, if no role is given",
      rosterOf([sitter("x")]),
      { role: null },
      sitter("x").agent!.id,
    ],
    ["[SEA2] a new agent beside others", rosterOf([pane("web:0.1", { agent: other })]), {}, null],
    ["[SEA3] a new agent in the seat of another", rosterOf([sitter("x")]), {}, null],
  ])("%s", (_, roster, facts, expected) => {
    const { after, agents, before } = seat(roster, seating(facts), now);
    expect(before?.id ?? null).toBe(expected);
    if (expected !== null) expect(after.id).toBe(expected);
    expect(after).toMatchObject({
      seat: { server: madeServer, pane: place.id },
      session: idOf(1),
      team: "web",
    });
    expect(agents.filter(({ seat: sits }) => sits?.pane === place.id)).toEqual([after]);
  });

  test("[SEA3] the previous agent of the pane is away", () => {
    const roster = rosterOf([sitter("x")]);
    const { agents } = seat(roster, seating(), now);
    expect(agents.find(({ role }) => role === "x")).toMatchObject({ seat: null, address: "web:0.0" });
  });

  test.each([
    [
      "in another pane",
      rosterOf([pane("web:0.1", { agent: seated("web:0.1", "po") })]),
      /web:0.1 is po already/,
    ],
    [
      "on another server",
      rosterOf([], [away("po", { seat: { server: { ...madeServer, pid: 11 }, pane: "%9" as PaneId } })]),
      /runs on another tmux server/,
    ],
  ])("[SEA1] an agent with a seat %s is refused", (_, roster, expected) => {
    expect(() => seat(roster, seating(), now)).toThrow(expected);
  });

  test("[SEA1] no agent is seated in a team that runs on another server", () => {
    const seat_ = { server: { ...madeServer, pid: 11 }, pane: "%9" as PaneId };
    const roster = rosterOf([], [away("dev", { seat: seat_ })]);
    expect(() => seat(roster, seating(), now)).toThrow("the team web runs on another tmux server");
  });

  test("[SEA1] the role of another away agent is refused, with a hint", () => {
    const dev = away("dev", { address: "web:0.5" as PaneAddress });
    const roster = rosterOf([], [away("po"), dev]);
    expect(() => seat(roster, seating({ agent: dev.id }), now)).toThrow(
      /already has an agent po, which is away/,
    );
  });
});

test.each([
  ["the same session in the same pane", { session: idOf(1) }, 7],
  ["another session", { session: idOf(2) }, now / 1000],
])("[SEA4] %s", (_, facts, epoch) => {
  const roster = rosterOf([sitter("po", { session: idOf(1), epoch: 7 })]);
  expect(seat(roster, seating(facts), now).after.epoch).toBe(epoch);
});

describe("a start that failed", () => {
  test.each([
    ["of a new agent leaves no agent", rosterOf([])],
    ["of an away agent leaves it away", rosterOf([], [away("po", { session: idOf(3) })])],
    ["of an agent in its pane leaves it there", rosterOf([sitter("po", { session: idOf(3) })])],
  ])("%s", (_, roster) => {
    const done = seat(roster, seating(), now);
    expect(unseat({ ...roster, agents: done.agents }, done)).toEqual(roster.agents);
  });
});
