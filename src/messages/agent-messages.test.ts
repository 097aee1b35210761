import { expect, test } from "vitest";
import type { AgentId } from "../names/agent-id.js";
import type { Role } from "../names/gates.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import type { Receipt, ReceiptStep } from "../stores/receipts.js";
import { agentMessages } from "./agent-messages.js";

const [lead, dev] = ["aaaaaaaaaa", "bbbbbbbbbb"] as AgentId[];
const agents = [
  { id: lead!, role: "lead" as Role },
  { id: dev!, role: null },
];
const row = (id: string, step: ReceiptStep, detail = ""): Receipt => ({
  ...{ at: "2026-01-01T00:00:00Z", id: id as MessageId, pane: null, step, detail },
});
const of = (own: AgentId, rows: readonly Receipt[], most = 10) =>
  agentMessages(rows, own, { agents, textOf: (id) => (id.endsWith("1") ? "words" : null), most });

const rows = [
  row(`${lead}@1`, "queued"),
  row(`${dev}@2`, "queued", `from lead @${lead}`),
  row(`${lead}@3`, "queued", `from dev @${dev}`),
  row(`${dev}@2`, "posting", "size 1"),
  row(`${lead}@1`, "typing"),
  row(`${dev}@2`, "returned"),
  row(`${dev}@2`, "typing"),
  row(`${dev}@2`, "answered"),
];

test("an agent has what it got and what it sent, with every step, the other side and the last door", () => {
  const brief = of(lead!, rows).map(({ id, direction, with: other, text, door, step, steps }) => [
    ...[id, direction, other.kind, other.name, other.agent, text, door, step],
    steps.map((each) => each.step).join(" "),
  ]);
  expect(brief).toEqual([
    [`${lead}@1`, "received", "person", "somebody", null, "words", "keys", "typing", "queued typing"],
    [
      ...[`${dev}@2`, "sent", "agent", `@${dev}`, dev, null, "keys", "answered"],
      "queued posting returned typing answered",
    ],
    [`${lead}@3`, "received", "agent", "dev", dev, null, null, "queued", "queued"],
  ]);
});

test("of many messages the last ones are listed, and those of others never", () => {
  expect(of(lead!, rows, 1).map(({ id }) => id)).toEqual([`${lead}@3`]);
  expect(of("cccccccccc" as AgentId, rows)).toEqual([]);
});
