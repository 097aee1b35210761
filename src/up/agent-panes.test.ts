import { expect, test } from "vitest";
import { agentRow, fleetOf, madeServer } from "../../test/fleet/made.js";
import { idOf } from "../../test/transcripts/files.js";
import { agent, factsOf, fileOf, lead, seated } from "../../test/up/made.js";
import type { Role, SessionId } from "../names/gates.js";
import { findAgentPanes } from "./agent-panes.js";

const [one, two] = [idOf(1), idOf(2)] as [SessionId, SessionId];
const file = fileOf(agent("lead"), agent("dev"));

test("an agent that this project started belongs to the file, whatever its name and wherever it runs", () => {
  const called = agentRow("web:0.0", "dev", { seat: { server: madeServer, pane: "%0" } });
  const { seats } = factsOf(file, [seated(0, agent("lead"), one, { agent: called })]);
  expect(seats.of(lead)).toMatchObject({ agent: called, pane: { id: "%0" } });
  expect(seats.of("dev" as Role)).toBeNull();
  const moved = factsOf(file, [seated(0, agent("lead"), one, { sessionName: "other" })]);
  expect(moved.seats.of(lead)).toMatchObject({ isRunning: true, pane: { sessionName: "other" } });
  const ended = factsOf(file, [seated(0, agent("lead"), null, { sessionName: "other" })]);
  expect(ended.seats.of(lead)).toBeNull();
});

test("of two seats the running one counts", () => {
  const { seats } = factsOf(file, [seated(0, agent("lead"), null), seated(1, agent("lead"), one)]);
  expect(seats.of(lead)).toMatchObject({ isRunning: true, pane: { id: "%1" } });
});

test("else the agent with its name does, and a launch of another project does not count", () => {
  const { seats } = factsOf(file, [
    seated(0, agent("lead"), one, { launched: null }),
    seated(1, agent("dev"), two, { launched: { project: "other" } }),
  ]);
  expect(seats.of(lead)).toMatchObject({ launch: null, pane: { id: "%0" } });
  expect(seats.of("dev" as Role)).toMatchObject({ launch: null, pane: { id: "%1" } });
});

test("an agent that another project started has that project", () => {
  const theirs = seated(0, agent("lead"), null, { launched: { project: "other" } });
  expect(factsOf(file, [theirs]).seats.of(lead)).toMatchObject({ launch: null, otherProject: "other" });
});

test("an absent agent is found by its name in the team, and by how this project started it", () => {
  const away = agentRow("web:0.0", "lead");
  const { seats } = factsOf(file, [], [], {}, [away, agentRow("ops:0.0", "dev")]);
  expect(seats.absent(lead)).toEqual({ agent: away, isElsewhere: false });
  expect(seats.absent("dev" as Role)).toBeNull();
  expect(seats.of(lead)).toBeNull();
  const moved = agentRow("ops:0.3", "renamed");
  const [, , , launch] = seated(0, agent("dev"), null);
  const fleet = fleetOf([], [], [moved]);
  expect(findAgentPanes(file, fleet, new Map([[moved.id, launch!]])).absent("dev" as Role)?.agent).toBe(
    moved,
  );
});

test("agents that left the file are kept apart from strangers", () => {
  const { seats } = factsOf(file, [
    seated(0, agent("old"), one),
    seated(1, agent("guest"), two, { launched: null, agent: null }),
    seated(2, agent("shell", { kind: "shell" }), null, { launched: null, dead: false }),
  ]);
  expect(seats.left.map(({ launch }) => launch.agent)).toEqual(["old"]);
  expect(seats.strangers.map(({ id }) => id)).toEqual(["%1"]);
});
