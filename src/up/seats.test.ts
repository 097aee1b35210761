import { expect, test } from "vitest";
import { idOf } from "../../test/transcripts/files.js";
import { agent, factsOf, fileOf, lead, seated } from "../../test/up/made.js";
import type { Role, SessionId } from "../names/gates.js";

const [one, two] = [idOf(1), idOf(2)] as [SessionId, SessionId];
const file = fileOf(agent("lead"), agent("dev"));

test("[UE1] a pane that was started for an agent is its seat, whatever it is called and wherever it runs", () => {
  const called = { mark: { address: "web:0.0", role: "dev" as Role } } as const;
  const { seats } = factsOf(file, [seated(0, agent("lead"), one, called)]);
  expect(seats.of(lead)?.pane.id).toBe("%0");
  expect(seats.of("dev" as Role)).toBeNull();
  const moved = factsOf(file, [seated(0, agent("lead"), one, { sessionName: "other" })]);
  expect(moved.seats.of(lead)).toMatchObject({ isRunning: true, pane: { sessionName: "other" } });
  const ended = factsOf(file, [seated(0, agent("lead"), null, { sessionName: "other" })]);
  expect(ended.seats.of(lead)).toBeNull();
});

test("[UE1] of two seats the one in which it runs counts", () => {
  const { seats } = factsOf(file, [seated(0, agent("lead"), null), seated(1, agent("lead"), one)]);
  expect(seats.of(lead)).toMatchObject({ isRunning: true, pane: { id: "%1" } });
});

test("[UE2] else the pane with its name is, and nobody's launch is taken for this project's", () => {
  const { seats } = factsOf(file, [
    seated(0, agent("lead"), one, { launched: null }),
    seated(1, agent("dev"), two, { launched: { project: "other" } }),
  ]);
  expect(seats.of(lead)).toMatchObject({ launch: null, pane: { id: "%0" } });
  expect(seats.of("dev" as Role)).toMatchObject({ launch: null, pane: { id: "%1" } });
});

test("[UE2] what another project started there says whose it is, and gives way to a pane that is nobody's", () => {
  const theirs = seated(0, agent("lead"), null, { launched: { project: "other" } });
  expect(factsOf(file, [theirs]).seats.of(lead)).toMatchObject({ launch: null, otherProject: "other" });
  const { seats } = factsOf(file, [theirs, seated(1, agent("lead"), null, { launched: null })]);
  expect(seats.of(lead)).toMatchObject({ otherProject: null, pane: { id: "%1" } });
});

test("[UE3] what this project started and its file lost is told apart from strangers", () => {
  const { seats } = factsOf(file, [
    seated(0, agent("old"), one),
    seated(1, agent("guest"), two, { launched: null }),
    seated(2, agent("shell", { kind: "shell" }), null, { launched: null, dead: false }),
  ]);
  expect(seats.left.map(({ launch }) => launch.agent)).toEqual(["old"]);
  expect(seats.strangers.map(({ id }) => id)).toEqual(["%1"]);
});
