import { expect, test } from "vitest";
import type { Host, SessionId, TeamName } from "../../names/gates.js";
import { arrivingName, type Standing } from "./arriving-name.js";

const parents: Record<string, string> = { child: "saved", saved: "origin" };
const kinship = {
  arriving: new Set(["saved" as SessionId]),
  parentOf: (session: SessionId) => (parents[session] as SessionId) ?? null,
};
const nobody: Standing = { isRunning: false, isRegistered: false, sessions: [], isWaiting: false };
const running = { ...nobody, isRunning: true, isRegistered: true };
const stored = { ...nobody, isRegistered: true };
const of = (...sessions: string[]) => ({ sessions: sessions as SessionId[] });

function check(standing: Record<string, Standing>, wanted: string, host = "beta", team = "web") {
  const name = arrivingName(team as TeamName, host as Host, (each) => standing[each] ?? nobody, kinship);
  expect(name).toBe(wanted);
}

test.each<[string, Standing, string]>([
  ["nothing with that name", nobody, "web"],
  ["a running team of other conversations", { ...running, ...of("other") }, "beta_web"],
  ["a running team whose own agents ended", { ...running, isWaiting: true, ...of("other") }, "beta_web"],
  ["a running tmux session of shells", { ...running, isRegistered: false }, "beta_web"],
  ["a team that does not run, of other conversations", { ...stored, ...of("other") }, "beta_web"],
  ["a running team with its parent sessions", { ...running, ...of("origin") }, "beta_web"],
])("next to %s it becomes %s", (_, web, wanted) => check({ web }, wanted));

test.each<[string, Standing]>([
  ["runs the same conversations", { ...running, ...of("other", "saved") }],
  ["runs forks of them", { ...running, ...of("child") }],
  ["waits for its agents", { ...running, isWaiting: true }],
  ["does not run and has them", { ...stored, ...of("saved") }],
  ["does not run and has their parents", { ...stored, ...of("origin") }],
  ["is only a registered name", stored],
])("a team that %s is the same team", (_, web) => check({ web }, "web"));

test("an earlier arrival under the longer name continues there", () =>
  check({ web: { ...running, ...of("other") }, beta_web: { ...running, ...of("child") } }, "beta_web"));

test("both names taken is refused", () => {
  const taken = { ...running, ...of("other") };
  expect(() => check({ web: taken, beta_web: taken }, "")).toThrow(
    "web and beta_web are both names of other teams",
  );
});

test("a host with dots, or a long name, still gives a valid team name", () => {
  const web = { ...running, ...of("other") };
  check({ web }, "a_b_web", "a.b");
  const long = (length: number) => "t".repeat(length);
  check({ [long(60)]: web }, `bet_${long(60)}`, "beta", long(60));
  check({ [long(63)]: web }, `${long(62)}_`, "beta", long(63));
  check({ [long(64)]: web }, `${long(63)}_`, "beta", long(64));
  check({}, long(64), "beta", long(64));
});
