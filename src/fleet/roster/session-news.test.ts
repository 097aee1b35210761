import { expect, test } from "vitest";
import { pane, seated } from "../../../test/fleet/made.js";
import { a, b } from "../../../test/fleet/subjects.js";
import type { LiveSession } from "../../agents/agent.js";
import type { SessionId } from "../../names/gates.js";
import type { TeamRow } from "../../stores/teams.js";
import type { FleetPane } from "../panes.js";
import { teamsWithNews } from "./refresh.js";

const live = (sessionId: SessionId) => ({ sessionId }) as LiveSession;
const agent = seated("web:0.0", "po", { session: a });
const teams = [{ team: "web", description: "" }] as TeamRow[];

test.each<[string, Partial<FleetPane>, string[]]>([
  ["reports the session in the roster", { agent, live: live(a) }, []],
  ["reports another one", { agent, live: live(b) }, ["web"]],
  ["reports nothing", { agent, live: null }, []],
  ["has no known agent", { agent: null, live: live(b) }, []],
])("a client that %s", (_, facts, expected) => {
  expect(teamsWithNews({ panes: [pane("web:0.0", facts)] }, teams)).toEqual(expected);
});

test("the first session of an agent is news, but not in an unregistered team", () => {
  const panes = ["web:0.1", "other:0.0"].map((address) =>
    pane(address, { agent: seated(address, "po"), live: live(b) }),
  );
  expect(teamsWithNews({ panes }, teams)).toEqual(["web"]);
});
