import { expect, test } from "vitest";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role } from "../names/gates.js";
import { messageId } from "../stores/queue/queue-rows.js";
import type { Receipt } from "../stores/receipts.js";
import { lastSentTo, ownMessages } from "./own-messages.js";

const [lead, dev] = ["aaaaaaaaaa" as AgentId, "bbbbbbbbbb" as AgentId];
const agents = [
  { id: lead, role: "lead" as Role },
  { id: dev, role: "dev" as Role },
];
let second = 0;

function receipt(to: AgentId, stamp: string, step: Receipt["step"], detail = ""): Receipt {
  const at = `2026-04-22T08:00:${String(second++ % 60).padStart(2, "0")}Z`;
  return { at, id: messageId(to, stamp as never), pane: null, step, detail };
}

test("messages are listed by who sent and who got them, with their last step", () => {
  const receipts = [
    receipt(lead, "1", "queued", `from dev @${dev}`),
    receipt(lead, "1", "posting", "mark"),
    receipt(dev, "2", "queued", ""),
    receipt(lead, "1", "accepted", ""),
    receipt(dev, "3", "queued", `from lead @${lead}`),
    receipt(dev, "3", "uncertain", "no record"),
  ];
  const { sent, received } = ownMessages(receipts, dev, agents);
  expect(sent).toMatchObject([{ id: receipts[0]!.id, with: "lead", step: "accepted" }]);
  expect(received).toMatchObject([
    { with: "somebody", step: "queued", detail: "" },
    { with: "lead", step: "uncertain", detail: "no record" },
  ]);
  expect(lastSentTo(receipts, dev, lead)).toBe(receipts[0]!.id);
  expect(lastSentTo(receipts, lead, dev)).toBe(receipts[4]!.id);
  expect(lastSentTo(receipts, lead, lead)).toBeNull();
});

test("only the newest are listed, and a forgotten agent keeps its id", () => {
  const count = limits.ownMessages + 3;
  const receipts = Array.from({ length: count }, (_, at) =>
    receipt(lead, String(at + 1), "queued", `from x @${dev}`),
  );
  const { sent } = ownMessages(receipts, dev, []);
  expect(sent).toHaveLength(limits.ownMessages);
  expect(sent.at(-1)).toMatchObject({ id: receipts.at(-1)!.id, with: `@${lead}` });
});
