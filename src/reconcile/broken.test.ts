import { expect, test } from "vitest";
import { factsGiven, type Given, type GivenPane, id } from "../../test/reconcile/made.js";
import { brokenSessions } from "./broken.js";

const [x, y] = [id("a"), id("b")];
const ended: GivenPane = { kind: "shell", mark: "a:0.0 po" };

const check = (title: string, given: Given, expected: boolean) =>
  test(title, () => {
    const rows = { roles: { "a:0.0": "po" }, sessions: { "a:0.0": x } };
    const broken = brokenSessions(factsGiven({ panes: { "a:0.0": ended }, ...rows, ...given }));
    expect(broken).toEqual(expected ? [{ pane: "a:0.0", uuid: x }] : []);
  });

check("[BR1] an ended agent whose transcript is nowhere", {}, true);
check("[BR1] not one whose transcript is there", { transcripts: [x] }, false);
check("[BR1] not one that a live process holds", { held: [x] }, false);
const elsewhere: Given = { panes: { "b:0.0": { kind: "shell" } } };
const gonePane: Given = { panes: { "a:0.1": { kind: "shell", mark: "a:0.1 dev" } }, teams: ["a"] };
check("[BR1] one whose pane is gone", gonePane, true);
check(
  "[BR1] not one whose pane is gone and whose transcript is there",
  { ...gonePane, transcripts: [x] },
  false,
);
check(
  "[BR1] not one whose pane is gone while another team is asked for",
  { ...gonePane, only: "b", teams: ["b"] },
  false,
);
check("[BR1] one of a team that neither runs nor can come back", { ...elsewhere, teams: ["a"] }, true);
check("[BR1] one of a team that nobody knows any more", { ...elsewhere, teams: [] }, true);
check("[BR1] not one of a team that is kept elsewhere", { ...elsewhere, teams: ["a"], kept: ["a"] }, false);
check(
  "[BR1] not one of a team while another is asked for",
  { ...elsewhere, teams: ["a", "b"], only: "b" },
  false,
);
check(
  "[BR1] not one of a team that may lie on a disk that is away",
  { ...elsewhere, teams: ["a"], isBlind: true },
  false,
);
check("[BR5] not one of a team without a tmux server", { panes: {}, teams: ["a"], hasServer: false }, false);
check("[BR1] not one of a tmux session that is no team", { panes: { "a:0.0": ended }, teams: ["b"] }, false);
check("[BR1] not one whose transcript may be where nobody could look", { unreadable: ["/projects"] }, false);
check("[BR2] not one that may be in a running agent", { panes: { "a:0.0": { title: "po" } } }, false);
check(
  "[BR2] not one that has not said a word while its process runs",
  { panes: { "a:0.0": { title: "po", uuid: x } } },
  false,
);
check("[BR3] not a silent fork of a session that is there", { parents: { [x]: y }, transcripts: [y] }, false);
check("[BR3] a silent fork whose parent is gone too", { parents: { [x]: y } }, true);
check("[BR4] nothing where there is no folder to search", { isSearchable: false }, false);
