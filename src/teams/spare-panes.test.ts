import { expect, test } from "vitest";
import { fleetOf, pane, seated } from "../../test/fleet/made.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Role, TeamName } from "../names/gates.js";
import { startArguments } from "../tmux/program.js";
import { leftPaneFor, leftPanes, openedFor, placeholderFor, sparePanes } from "./spare-panes.js";

const web = "web" as TeamName;
const [lead, dev] = ["lead", "dev"] as Role[] as [Role, Role];

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
])("a pane that runs %j was opened for %j", (startCommand, role) => {
  expect(openedFor({ startCommand })).toBe(role);
});

const ofDev = "env HIVEMIND_ROLE=dev cat";

test("only an unnamed pane that a killed command opened is left over", () => {
  const seen = fleet(
    opened("web:0.0", ofDev),
    opened("web:0.1", ofDev, { agent: seated("web:0.1", "dev") }),
    opened("web:0.2", ofDev, { dead: true }),
    opened("web:0.4", "env cat"),
    opened("web:0.5", "cat"),
    opened("other:0.0", ofDev),
  );
  const places = (panes: FleetPane[]) => panes.map(({ address }) => address);
  expect(places(leftPanes(seen, web))).toEqual(["web:0.0"]);
  expect(places(sparePanes(seen, web))).toEqual(["web:0.0", "web:0.4"]);
});

test("an agent gets the pane that was opened for it, else another", () => {
  const seen = fleet(opened("web:0.0", ofDev), opened("web:0.1", "env HIVEMIND_ROLE=lead cat"));
  expect(leftPaneFor(seen, web, lead)?.address).toBe("web:0.1");
  expect(leftPaneFor(seen, web, dev)?.address).toBe("web:0.0");
  expect(leftPaneFor(seen, web, "qa" as Role)?.address).toBe("web:0.0");
  expect(leftPaneFor(fleet(), web, dev)).toBeNull();
});
