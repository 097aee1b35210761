import { expect, test } from "vitest";
import { factsGiven, type Given, type GivenPane, id } from "../../test/reconcile/made.js";
import { brokenSessions } from "./broken.js";

const [x, y] = [id("a"), id("b")];
const ended: GivenPane = { kind: "shell", agent: "po", had: x };

const check = (title: string, given: Given, expected: boolean) =>
  test(title, () => {
    const broken = brokenSessions(factsGiven({ panes: { "a:0.0": ended }, ...given }));
    expect(broken).toMatchObject(expected ? [{ pane: "a:0.0", uuid: x, team: "a" }] : []);
    expect(broken).toHaveLength(expected ? 1 : 0);
  });

check("an ended agent without a transcript", {}, true);
check("not one with a transcript", { transcripts: [x] }, false);
check("not one that a live process holds", { held: [x] }, false);
const gone: Given["gone"] = { "a:0.0": ["po", x] };
const elsewhere: Given = { panes: { "b:0.0": { kind: "shell" } }, gone };
const gonePane: Given = { panes: { "a:0.1": { kind: "shell", agent: "dev" } }, gone, teams: ["a"] };
check("one whose pane is gone", gonePane, true);
check("not one whose pane is gone but has a transcript", { ...gonePane, transcripts: [x] }, false);
check("not one whose pane is gone if another team is given", { ...gonePane, only: "b", teams: ["b"] }, false);
check("one of a team that neither runs nor can come back", { ...elsewhere, teams: ["a"] }, true);
check("one of a team that is no longer registered", { ...elsewhere, teams: [] }, true);
check("not one of a team that is saved elsewhere", { ...elsewhere, teams: ["a"], kept: ["a"] }, false);
check("not one of a team if another is given", { ...elsewhere, teams: ["a", "b"], only: "b" }, false);
check(
  "not one of a team that may be on an unmounted disk",
  { ...elsewhere, teams: ["a"], isBlind: true },
  false,
);
check("not one of a team without a tmux server", { panes: {}, gone, teams: ["a"], hasServer: false }, false);
check("not one of a tmux session that is not a team", { panes: { "a:0.0": ended }, teams: ["b"] }, false);
check("not one whose transcript may be in an unreadable place", { unreadable: ["/projects"] }, false);
check(
  "not one that may be in a running agent",
  { panes: { "a:0.0": { title: "po", agent: "po", had: x } } },
  false,
);
check(
  "not one without a conversation while its process runs",
  { panes: { "a:0.0": { title: "po", agent: "po", uuid: x } } },
  false,
);
check("not a silent fork of a session with a transcript", { parents: { [x]: y }, transcripts: [y] }, false);
check("a silent fork whose parent is gone too", { parents: { [x]: y } }, true);
check("none if there is no folder to search", { isSearchable: false }, false);
