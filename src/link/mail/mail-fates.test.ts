import { expect, test } from "vitest";
import { heldInInbox } from "../../messages/settle.js";
import { hostName } from "../../names/gates.js";
import { newMailId } from "../../names/mail-id.js";
import type { MailRow, MailStep } from "../../stores/link/mail-log.js";
import type { ReceiptStep } from "../../stores/receipts.js";
import { fateIn, follows } from "./mail-fates.js";

const [own, server, other] = ["laptop", "server", "other"].map(hostName) as [never, never, never];
const row = (step: MailStep, detail = ""): MailRow => ({
  ...{ at: "2026-04-22T08:52:40Z", id: newMailId(own), with: "tester@server", step, detail },
});

test.each<[MailStep, MailStep, boolean]>([
  ["sent", "queued", true],
  ["sent", "refused", true],
  ["queued", "accepted", true],
  ["held", "queued", true],
  ["enqueued", "accepted", true],
  ["accepted", "answered", true],
  ["queued", "queued", false],
  ["accepted", "queued", false],
  ["accepted", "refused", false],
  ["refused", "accepted", false],
  ["answered", "accepted", false],
])("[FT1] after %s, %s is news: %s", (before, step, isNews) => {
  expect(follows(row(before), server, step, "")).toBe(isNews);
});

test("[FT1] only the host to which it was sent can tell", () => {
  expect(follows(row("sent"), other, "accepted", "")).toBe(false);
  expect(follows({ ...row("sent"), with: "tester@other@server" }, other, "accepted", "")).toBe(false);
});

test("another reason for waiting is news", () => {
  expect(follows(row("queued", "it is busy"), server, "queued", "it asks something")).toBe(true);
});

test.each<[ReceiptStep, string, MailStep | null]>([
  ["queued", "from a @b mail x", "queued"],
  ["returned", "nobody listened", "queued"],
  ["typing", "mark", null],
  ["posting", "mark", null],
  ["enqueued", "in its inbox", "enqueued"],
  ["enqueued", heldInInbox, "held"],
  ["accepted", "by the inbox", "accepted"],
  ["uncertain", "", "uncertain"],
  ["cleared", "", "cleared"],
])("a receipt %s (%s) is told as %s", (step, detail, told) => {
  expect(fateIn({ step, detail })?.step ?? null).toBe(told);
});
