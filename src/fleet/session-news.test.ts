import { expect, test } from "vitest";
import { pane } from "../../test/fleet/made.js";
import { a, b } from "../../test/fleet/subjects.js";
import type { LiveSession } from "../agents/agent.js";
import type { SessionId } from "../names/gates.js";
import type { SessionRow } from "../stores/sessions.js";
import type { TeamRow } from "../stores/teams.js";
import type { Mark } from "./mark.js";
import type { FleetPane } from "./panes.js";
import { teamsWithNews } from "./session-news.js";

const live = (sessionId: SessionId) => ({ sessionId }) as LiveSession;
const mark = { role: "po" } as Mark;
const stored = {
  sessions: [{ pane: "web:0.0", uuid: a }] as SessionRow[],
  teams: [{ team: "web", description: "" }] as TeamRow[],
};

test.each<[string, Partial<FleetPane>, string[]]>([
  ["says the session of its row", { mark, live: live(a) }, []],
  ["says another one", { mark, live: live(b) }, ["web"]],
  ["says nothing", { mark, live: null }, []],
  ["is not registered", { mark: null, live: live(b) }, []],
])("a client that %s", (_, facts, expected) => {
  expect(teamsWithNews({ panes: [pane("web:0.0", facts)] }, stored)).toEqual(expected);
});

test("a registered agent without a row is news, one in a team that nobody registered is not", () => {
  const panes = ["web:0.1", "other:0.0"].map((address) => pane(address, { mark, live: live(b) }));
  expect(teamsWithNews({ panes }, stored)).toEqual(["web"]);
});
