import { expect, test } from "vitest";
import { pane, seated } from "../../../test/fleet/made.js";
import { a, b } from "../../../test/fleet/subjects.js";
import type { LiveSession } from "../../agents/agent.js";
import type { SessionId } from "../../names/gates.js";
import type { FleetPane } from "../panes.js";
import { placesWithNews } from "./refresh.js";

const live = (sessionId: SessionId) => ({ sessionId }) as LiveSession;
const agent = seated("web:0.0", "po", { session: a });

test.each<[string, Partial<FleetPane>, string[]]>([
  ["reports the session in the roster", { agent, live: live(a) }, []],
  ["reports another one", { agent, live: live(b) }, ["web"]],
  ["reports nothing", { agent, live: null }, []],
  ["has no known agent", { agent: null, live: live(b) }, []],
])("a client that %s", (_, facts, expected) => {
  expect(placesWithNews({ panes: [pane("web:0.0", facts)] })).toEqual(expected);
});

test("the first session of an agent is news, in a tmux session of any name", () => {
  const panes = ["web:0.1", "no team:0.0"].map((address) =>
    pane(address, { agent: seated("web:0.1", "po"), live: live(b) }),
  );
  expect(placesWithNews({ panes })).toEqual(["web", "no team"]);
});
