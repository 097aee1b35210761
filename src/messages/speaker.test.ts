import { expect, test } from "vitest";
import type { AgentId } from "../names/agent-id.js";
import { hostName } from "../names/gates.js";
import { newMailId } from "../names/mail-id.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { receipt } from "../stores/receipts.js";
import { formatSpeaker, mailIn, type Speaker, somebody, speakerIn, speakerKey } from "./speaker.js";

const id = "aaaaaaaaaa@100" as MessageId;
const speakers: Speaker[] = [
  somebody,
  { kind: "person", name: "pat", isNow: true },
  { kind: "agent", name: "tester", agent: "bbbbbbbbbb" as AgentId },
  { kind: "agent", name: "background", agent: null },
  { kind: "person", name: "pat @home", isNow: true },
  // An agent without a role is called by its pane, in a tmux session of any name.
  { kind: "agent", name: "my team, now:0.1", agent: null },
];

test.each(speakers)("%j is read back from its receipt", (speaker) => {
  const queued = receipt(id, null, "queued", formatSpeaker(speaker));
  expect(speakerIn([queued, receipt(id, null, "returned", "from x @y")])).toEqual(speaker);
});

test("a row that another program wrote is a person's", () => {
  expect(speakerIn([])).toEqual(somebody);
});

test("a receipt that was cut is never a person's", () => {
  expect(speakerIn([receipt(id, null, "queued", `from ${"x".repeat(100_000)} @bbbbbbbbbb`)]).kind).toBe(
    "agent",
  );
});

test("a person's words for now do not wait behind those that are to be typed", () => {
  expect(speakers.slice(0, 4).map(speakerKey)).toEqual([
    "person",
    "person, now",
    "@bbbbbbbbbb",
    "@background",
  ]);
});

test.each<Speaker>([
  { kind: "person", name: "pat@lap-top", isNow: false },
  { kind: "person", name: "pat@lap-top", isNow: true },
  { kind: "agent", name: "tester@lap-top", agent: null },
])("%j of another host is read back with the message's own id", (speaker) => {
  const mail = newMailId(hostName("lap-top"));
  const history = [receipt(id, null, "queued", formatSpeaker(speaker, mail))];
  expect(speakerIn(history)).toEqual(speaker);
  expect(mailIn(history)).toBe(mail);
});

test.each(["", "from tester @bbbbbbbbbb", "from mail @bbbbbbbbbb mail nonsense"])(
  "a message of this host has no id of another: %j",
  (detail) => expect(mailIn([receipt(id, null, "queued", detail)])).toBeNull(),
);
