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
check("[BR1] not one of a team that does not run", { panes: { "b:0.0": { kind: "shell" } } }, false);
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
