import { describe, expect, test } from "vitest";
import { contentOf, letterId } from "../inbox.js";
import { digestOf, proofIn } from "./message-records.js";

const line = (record: object) => `${JSON.stringify(record)}\n`;
const user = (content: unknown) => line({ type: "user", message: { role: "user", content } });
const command =
  "<command-name>/rename</command-name>\n  <command-message>rename</command-message>\n  <command-args>lead</command-args>";

test.each([
  ["what was said", user("run it"), "run it", true],
  ["what was said, in parts", user([{ type: "text", text: "run it" }]), "run it", true],
  [
    "what was enqueued",
    line({ type: "queue-operation", operation: "enqueue", content: "run it" }),
    "run it",
    true,
  ],
  ["a command, as a user's record", user(command), "/rename lead", true],
  [
    "a command, as a system's record",
    line({ type: "system", subtype: "local_command", content: command }),
    "/rename lead",
    true,
  ],
  [
    "a command without arguments",
    user(command.replace("lead", "").replaceAll("rename", "clear")),
    "/clear",
    true,
  ],
  ["a shell line", user("<bash-input>ls -l</bash-input>"), "!ls -l", true],
  [
    "the same words in an answer",
    line({ type: "assistant", message: { content: "run it" } }),
    "run it",
    false,
  ],
  ["words that quote it", user("he said: run it"), "run it", false],
  ["a command for another name", user(command), "/rename other", false],
  [
    "a sub-agent's prompt",
    line({ type: "user", isSidechain: true, message: { content: "run it" } }),
    "run it",
    false,
  ],
  [
    "what was taken out of the queue",
    line({ type: "queue-operation", operation: "remove", content: "run it" }),
    "run it",
    false,
  ],
  ["the result of a tool", user([{ type: "tool_result", content: "run it" }]), "run it", false],
  ["rubbish", "null\n{\n[]\n7\n", "run it", false],
  ["a line that is not whole yet", user("run it").trimEnd(), "run it", false],
])("[PF1] %s", (_, lines, text, is) => {
  expect(proofIn(lines, { digest: digestOf(text) }) !== "nothing").toBe(is);
});

const answer = (text: string, facts = {}) =>
  line({ type: "assistant", ...facts, message: { content: [{ type: "text", text }] } });
const enqueued = line({ type: "queue-operation", operation: "enqueue", content: "run it" });

test.each([
  ["a message alone", user("run it"), "taken"],
  ["a message and words of the agent", user("run it") + answer("done"), "answered"],
  ["words of the agent before it", answer("done") + user("run it"), "taken"],
  ["a sub-agent's words", user("run it") + answer("done", { isSidechain: true }), "taken"],
  ["enqueued, while the agent still speaks", enqueued + answer("about something else"), "enqueued"],
  ["enqueued, taken and answered", enqueued + answer("else") + user("run it") + answer("done"), "answered"],
])("[PF3] %s", (_, lines, proof) => {
  expect(proofIn(lines, { digest: digestOf("run it") })).toBe(proof);
});

const linked = (uuid: string, parentUuid: string | null, facts: object = {}) =>
  line({ type: "attachment", uuid, parentUuid, ...facts });
const asked = linked("a", null, { type: "user", message: { content: "run it" } });
const answered = { type: "assistant", message: { content: "done" } };

test.each([
  [
    "an answer that was written down before it",
    linked("c", "b", answered) + asked + linked("b", "a"),
    "answered",
  ],
  ["the late answer to another message", asked + linked("b", "z", answered), "taken"],
  ["a ring", asked + linked("b", "c", answered) + linked("c", "b"), "taken"],
  [
    "an answer behind a compaction",
    asked + linked("b", null, { type: "system", logicalParentUuid: "a" }) + linked("c", "b", answered),
    "answered",
  ],
])("[PF3] %s", (_, lines, proof) => {
  expect(proofIn(lines, { digest: digestOf("run it") })).toBe(proof);
});

test("[PF3] a command is answered once it was taken", () => {
  expect(proofIn(user(command), { digest: digestOf("/rename lead") })).toBe("answered");
});

describe("a letter from the inbox", () => {
  const letter = { id: "aaaaaaaaaa@100", from: "tester", session: "x" as never, text: "run it" };
  const content = contentOf(letter);
  const key = { digest: digestOf(content), id: letter.id, from: letter.from };
  const queue = (operation: string, facts = {}) => line({ type: "queue-operation", operation, ...facts });
  const enqueue = queue("enqueue", { content });
  const origin = { kind: "peer", msg_id: letterId(letter.id) };
  const said = line({
    type: "user",
    uuid: "u",
    isMeta: true,
    origin,
    message: { content: `A note:\n${content}` },
  });
  const absorbed = line({
    type: "attachment",
    uuid: "u",
    attachment: { type: "queued_command", prompt: content, origin },
  });
  const reply = line({ type: "assistant", uuid: "r", parentUuid: "u", message: { content: "done" } });
  const notice = (text: string) => line({ type: "system", subtype: "informational", content: text });
  const others = line({ type: "user", origin: { msg_id: letterId("aaaaaaaaaa@101") }, message: { content } });

  test.each([
    ["nothing", ""],
    ["enqueued", enqueue],
    ["enqueued", enqueue + answer("about something else")],
    ["leaving", enqueue + queue("dequeue")],
    ["leaving", enqueue + queue("remove", { content, reason: "absorbed_mid_turn" })],
    ["taken", enqueue + queue("dequeue") + said],
    ["taken", enqueue + queue("remove", { content }) + absorbed],
    ["answered", enqueue + said + reply],
    ["answered", absorbed + reply],
    ["nothing", others],
    ["nothing", user(content)],
    ["nothing", queue("enqueue", { content: contentOf({ ...letter, id: "aaaaaaaaaa@101" }) })],
    ["dropped", notice("Dropped a peer message from @tester (hivemind:tester): identical to the previous …")],
    ["nothing", notice("Dropped a peer message from @tester2 (hivemind:tester2): identical …")],
    [
      "held",
      notice("Held peer message — from an unidentified session (peer claims name: tester); preview: …"),
    ],
    ["taken", notice("Held peer message — … (peer claims name: tester); …") + enqueue + said],
  ])("[PF1] is %s by %j", (proof, lines) => {
    expect(proofIn(lines, key)).toBe(proof);
  });

  test("[PF1] a notice about a sender that is called by its pane is found", () => {
    const dropped = notice("Dropped a peer message from @my-team-0.1 (hivemind:my-team-0.1): identical …");
    expect(proofIn(dropped, { ...key, from: "my team:0.1" })).toBe("dropped");
  });
});
