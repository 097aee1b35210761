import { expect, test } from "vitest";
import { pane } from "../../test/fleet/made.js";
import type { LiveSession } from "../agents/agent.js";
import type { Intent } from "../stores/queue/queue-rows.js";
import type { Speaker } from "./speaker.js";
import { doorFor } from "./which-door.js";

const agent: Speaker = { kind: "agent", name: "tester", agent: null };
const person: Speaker = { kind: "person", name: "pat", isNow: false };
const now: Speaker = { ...person, isNow: true };
const place = { path: "/tmp/cc-socks/1.sock", pid: 1 };
const open = pane("web:0.0", { kind: "claude", live: { inbox: place } as LiveSession });
const closed = pane("web:0.0", { kind: "claude", live: {} as LiveSession });
const claw = pane("web:0.0", { kind: "claw", live: { inbox: place } as LiveSession });

test.each<[string, Speaker, string, typeof open, string | RegExp]>([
  ["[DR1] an agent's words", agent, "hello", open, "inbox"],
  ["[DR1] an agent's words without an inbox", agent, "hello", closed, "keys"],
  ["[DR1] an agent's words to a kind without an inbox", agent, "hello", claw, "keys"],
  ["[DR2] a person's words", person, "hello", open, "keys"],
  ["[DR2] a person's words, now", now, "hello", open, "inbox"],
  ["[DR2] a person's words, now, without an inbox", now, "hello", closed, /has no inbox/],
  ["[DR3] a command of a person", person, "/compact", open, "keys"],
  ["[DR3] a command that an agent may send", agent, "/compact", open, "keys"],
  ["[DR3] a shell line, now", now, "!ls", open, /words only/],
  ["[DR3] a line to remember, now", now, "# always test", open, /words only/],
])("%s", (_, speaker, text, receiver, expected) => {
  const door = doorFor(speaker, { intent: "inform", text }, receiver);
  if (typeof expected === "string") expect(door).toBe(expected);
  else expect(door).toEqual({ refused: expect.stringMatching(expected) });
});

const codex = pane("web:0.0", { kind: "codex", live: { inbox: place } as LiveSession });

test.each<[string, Speaker, string, boolean, string]>([
  ["a person's words while it works", person, "hello", false, "inbox"],
  ["a person's words while it listens", person, "hello", true, "keys"],
  ["an agent's words while it listens", agent, "hello", true, "inbox"],
  ["a command of a person while it works", person, "/compact", false, "keys"],
])("[DR4] an inbox whose words count as the user's: %s", (_, speaker, text, isListening, expected) => {
  expect(doorFor(speaker, { intent: "inform", text }, codex, { isListening })).toBe(expected);
});

test("[DR3] a key is pressed, whoever queued it", () => {
  const intent: Intent = "remote-control:BTab";
  expect(doorFor(agent, { intent, text: "x" }, open)).toBe("keys");
});
