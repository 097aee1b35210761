import { expect, test } from "vitest";
import { type EventName, type EventOf, eventNames, formatArguments, parseEvent } from "../events/event.js";
import type { AgentId } from "../names/agent-id.js";
import type { Host, PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { Place } from "../stores/file/append-file.js";
import type { Stores } from "../stores/stores.js";
import { publicEvent } from "./public-event.js";
import { publishEvents } from "./publish.js";

const [pane, other] = ["web:0.1", "web:0.2"] as PaneAddress[] as [PaneAddress, PaneAddress];
const agent = "abcdefghij" as AgentId;
const [role, team] = ["dev" as Role, "web" as TeamName];
const uuid = "00000000-0000-4000-8000-000000000001" as SessionId;
const acted = { by: "ann", from: "pts/1", outcome: "done" } as const;

/** Each event, and what is left out of it. */
const table: {
  [Name in EventName]: [event: Omit<EventOf<Name>, "name">, changed: Partial<EventOf<Name>>];
} = {
  "agent.spawned": [{ pane, role, uuid, agent }, {}],
  "agent.killed": [{ pane, cause: "asked", agent }, {}],
  "agent.forgotten": [{ role, agent }, {}],
  "agent.renamed": [{ pane, old: null, new: role, agent }, {}],
  "agent.forked": [{ pane, role, parent: uuid, child: uuid, agent }, {}],
  "panes.shifted": [{ team, moves: [{ from: pane, to: other, agent }] }, {}],
  "panes.swapped": [{ team, a: pane, b: other }, {}],
  "pane.moved": [{ from: pane, to: other, agent }, {}],
  "team.created": [{ team, description: "SECRET plan" }, { description: "" }],
  "team.destroyed": [{ team }, {}],
  "team.restored": [{ team, snapshot: "web.env" }, {}],
  "session.changed": [{ pane, old: null, new: uuid, cause: "clear", agent }, {}],
  "session.dropped": [{ pane, uuid, state: "live", agent }, {}],
  "session.forked": [{ parent: uuid, child: uuid }, {}],
  "session.rebound": [
    { session: uuid, from: "/home/SECRET/a", to: "/srv/SECRET/shop" },
    { from: "a", to: "shop" },
  ],
  "team.renamed": [{ old: team, new: team }, {}],
  "request.decided": [
    { decision: "approved", request: "r1", by: "ann", from: "pts/1", what: "rm -rf SECRET", pane, agent },
    { what: "" },
  ],
  "web.acted": [{ action: "agent spawn", what: "dev --prompt=SECRET", ...acted }, { what: null }],
  "far.acted": [{ action: "answer", what: "SECRET", ...acted }, { what: null }],
};

test.each(eventNames())("[PE1] %s leaves without words, and reads back", (name) => {
  const [facts, changed] = table[name];
  const event = { name, ...facts } as EventOf<typeof name>;
  const left = publicEvent(event);
  expect(left).toEqual({ ...event, ...changed });
  expect(JSON.stringify(left)).not.toContain("SECRET");
  expect(parseEvent(name, formatArguments(left))).toEqual(left);
});

test("[PE1] what is published is the event without its words", async () => {
  const event = { name: "request.decided", ...table["request.decided"][0] } as EventOf<"request.decided">;
  const place: Place = { file: 1, offset: 0 };
  const sent: string[] = [];
  const append = async (_: string, bytes: Uint8Array | string) => {
    sent.push(Buffer.from(bytes as Uint8Array).toString());
  };
  const events = { readFrom: () => ({ rows: [{ at: "2026-01-01T00:00:00Z", event }], next: place }) };
  const published = { read: () => place, write: () => {} };
  await publishEvents({ append } as never, "alpha" as Host, { events, published } as unknown as Stores);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('"request":"r1"');
  expect(sent[0]).not.toContain("SECRET");
});
