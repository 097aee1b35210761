import { expect, test } from "vitest";
import { agentRow, pane, rosterOf, seated } from "../../test/fleet/made.js";
import type { RosterNow } from "../fleet/roster/roster.js";
import type { AgentId } from "../names/agent-id.js";
import type { SessionId } from "../names/gates.js";
import { paneFor } from "./see.js";

const [lead, dev] = [seated("web:0.0", "lead"), seated("web:0.1", "dev")];
const panes = [pane("web:0.0", { agent: lead }), pane("web:0.1", { agent: dev }), pane("web:0.2")];
const [po, qa] = [agentRow("web:0.2", "po"), agentRow("ops:0.0", "qa")];
const far = { ...qa, seat: { server: { socket: "/tmp/far", pid: 99, startedAt: 5 }, pane: "%1" as const } };
const double = { session: "s" as SessionId, pane: panes[1]!.id, holder: lead };

test.each<[string, AgentId, Partial<RosterNow>, string | RegExp]>([
  ["the pane in which the agent sits", lead.id, {}, "web:0.0"],
  [
    "no pane for an away agent, even if its old address is taken",
    po.id,
    {},
    /^po of web is away; .* restart @/,
  ],
  ["no pane for an agent on another server", far.id, {}, /^qa of ops runs on another tmux server/],
  ["no pane for a forgotten agent", "zzzzzzzzzz" as AgentId, {}, /forgotten/],
  ["no pane that shows another agent's session", dev.id, { doubles: [double] }, /the session of lead/],
  [
    "its agent's pane, even if another pane shows the same session",
    lead.id,
    { doubles: [double] },
    "web:0.0",
  ],
])("[MN4] a message goes into %s", (_, agent, facts, expected) => {
  const found = paneFor({ panes, roster: { ...rosterOf(panes, [po, far]), ...facts } }, agent);
  const result = "why" in found ? found.why : found.address;
  if (typeof expected === "string") expect(result).toBe(expected);
  else expect(result).toMatch(expected);
});
