import { expect, test } from "vitest";
import { fleetOf, pane } from "../../test/fleet/made.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneAddress, Role, TeamName } from "../names/gates.js";
import { startArguments } from "../tmux/program.js";
import { leftPaneFor, leftPanes, openedFor, placeholderFor, sparePanes } from "./spare-panes.js";

const web = "web" as TeamName;
const [lead, dev] = ["lead", "dev"] as Role[] as [Role, Role];
const nobody = { roles: [], sessions: [] };

function opened(address: string, startCommand: string, facts: Partial<FleetPane> = {}): FleetPane {
  return pane(address, { kind: "shell", process: null, dead: false, name: null, startCommand, ...facts });
}

const fleet = (...panes: FleetPane[]): Fleet =>
  fleetOf(
    [],
    panes.map((each) => [each, null, "unknown"]),
  );

test.each([
  [
    startArguments({ argv: placeholderFor(dev) })
      .slice(1)
      .join(" "),
    "dev",
  ],
  ["env PATH=/bin HIVEMIND_ROLE=a.b_c-2 cat", "a.b_c-2"],
  ['env "PATH=/a b:/bin" HIVEMIND_ROLE=dev cat', "dev"],
  ["env cat", null],
  ["cat", null],
  ['"env HIVEMIND_ROLE=dev cat"', null],
  ["env HIVEMIND_ROLE=dev cat notes", null],
  ["env HIVEMIND_ROLE=dev node demo-agent.js", null],
  ["", null],
])("[SPN1] a pane that runs %j was opened for %j", (startCommand, role) => {
  expect(openedFor({ startCommand })).toBe(role);
});

const ofDev = "env HIVEMIND_ROLE=dev cat";

test("[SPN1] [SPN2] only what a killed command opened and gave no name is left over", () => {
  const seen = fleet(
    opened("web:0.0", ofDev),
    opened("web:0.1", ofDev, { mark: { address: "web:0.1" as PaneAddress, role: dev } }),
    opened("web:0.2", ofDev, { dead: true }),
    opened("web:0.3", ofDev, { launch: "%1|{}" }),
    opened("web:0.4", "env cat"),
    opened("web:0.5", "cat"),
    opened("other:0.0", ofDev),
  );
  const places = (panes: FleetPane[]) => panes.map(({ address }) => address);
  expect(places(leftPanes(seen, nobody, web, []))).toEqual(["web:0.0"]);
  expect(places(sparePanes(seen, nobody, web))).toEqual(["web:0.0", "web:0.4"]);
});

test("[SPN2] an agent gets the pane that was opened for it, else another", () => {
  const seen = fleet(opened("web:0.0", ofDev), opened("web:0.1", "env HIVEMIND_ROLE=lead cat"));
  expect(leftPaneFor(seen, nobody, web, lead)?.address).toBe("web:0.1");
  expect(leftPaneFor(seen, nobody, web, dev)?.address).toBe("web:0.0");
  expect(leftPaneFor(seen, nobody, web, "qa" as Role)?.address).toBe("web:0.0");
  expect(leftPaneFor(fleet(), nobody, web, dev)).toBeNull();
});

test("[SPN3] a pane at a place that is kept for another is left to that one", () => {
  const seen = fleet(opened("web:0.0", ofDev, { sessionCreatedMs: 9_000_000, team: "" }));
  const rows = { roles: [{ pane: "web:0.0" as PaneAddress, role: lead, epoch: 1 }], sessions: [] };
  expect(leftPaneFor(seen, rows, web, dev)).toBeNull();
  expect(leftPaneFor(seen, rows, web, lead)?.address).toBe("web:0.0");
  expect(leftPanes(seen, rows, web, [])).toEqual([]);
});
