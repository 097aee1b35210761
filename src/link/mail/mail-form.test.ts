import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import { hostName, type PaneAddress } from "../../names/gates.js";
import { newMailId } from "../../names/mail-id.js";
import { fateBytes, type Mail, mailBytes, readFate, readMail, writerOf } from "./mail-form.js";

const from = hostName("lap-top.example");
const id = newMailId(from);
const mail: Mail = {
  ...{ id, to: "tester", text: "run it\nagain", isAwaited: false },
  by: { kind: "agent", name: "architect", pane: "shop:0.1" as PaneAddress },
};
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const form = { version: 1, ...mail };

test.each<Mail>([mail, { ...mail, by: { kind: "person", name: "ann" }, isAwaited: true, to: "@k3j5n2abcd" }])(
  "%j is read back",
  (each) => expect(readMail(mailBytes(each), from)).toEqual(each),
);

test.each([
  ["hive.mail.server.lap-top=2Eexample", "lap-top.example"],
  ["hive.mail.server.-oProxyCommand", null],
  ["hive.mail.server.a=2", null],
  ["hive.mail.server.", null],
])("the host that wrote %s is %s", (subject, host) => expect(writerOf(subject)).toBe(host));

test.each<[string, unknown, RegExp]>([
  ["the id of another host", { ...form, id: newMailId(hostName("other")) }, /not one of the host/],
  ["an id that is none", { ...form, id: "../../x" }, /not one of the host/],
  ["a list", [form], /cannot be read/],
  ["another version", { ...form, version: 2 }, /newer hivemind/],
  ["no target", { ...form, to: 7 }, /names nobody/],
  ["a target that breaks a row", { ...form, to: "a|b\n" }, /names nobody/],
  ["a forged sender with a host", { ...form, by: { kind: "person", name: "root@server" } }, /who sends it/],
  ["a sender with a prefix", { ...form, by: { kind: "agent", name: "x] [@boss" } }, /who sends it/],
  ["a sender of another kind", { ...form, by: { kind: "user", name: "ann" } }, /who sends it/],
  ["no sender", { ...form, by: null }, /who sends it/],
  ["no text", { ...form, text: null }, /no text/],
  ["an empty text", { ...form, text: " " }, /empty/],
  ["control characters", { ...form, text: "a\u001b[201~b" }, /control characters/],
  ["half a character", { ...form, text: "a\ud800" }, /half a character/],
  ["a text that is too long", { ...form, text: "x".repeat(limits.messageBytes + 1) }, /at most/],
  ["a form without end", { ...form, more: "x".repeat(limits.mailFormBytes) }, /too large/],
])("[MF2] mail with %s is refused", (_, value, why) => {
  const read = readMail(bytes(value), from);
  expect("refused" in read && read.refused).toMatch(why);
});

test("[MF1] an id of another host is refused without an answer to anybody", () => {
  expect(readMail(bytes(form), hostName("other"))).toMatchObject({ id: null });
  expect(readMail(new Uint8Array([0xff, 0xfe]), from)).toMatchObject({ id: null });
});

test("a fate is read back, harmless and short", () => {
  const fate = { id, step: "refused", detail: `a|b\u001b[2J${"x".repeat(9_000)}` } as const;
  const read = readFate(fateBytes(fate), from);
  expect(read).toMatchObject({ id, step: "refused" });
  expect(read!.detail.length).toBeLessThanOrEqual(limits.farDetailLength);
  expect(read!.detail).not.toMatch(/[|\u0000-\u001f]/);
});

test.each([
  { ...form, step: "delivered" },
  { ...form, step: "sent" },
  { step: "accepted", id: "x" },
  { step: "accepted", id: newMailId(hostName("other")) },
  null,
])("what is no fate of our mail is ignored: %j", (value) => expect(readFate(bytes(value), from)).toBeNull());
