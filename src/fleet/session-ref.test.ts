import { expect, test } from "vitest";
import { fleetOf, pane, unread } from "../../test/fleet/made.js";
import type { Role, SessionId } from "../names/gates.js";
import { paneNamed } from "./find-pane.js";
import { sessionNamed } from "./session-ref.js";

const ids = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "15533422-8bdb-5079-8420-efcdb81dd2e6"] as SessionId[];
const other = "deadbeef-0000-4000-8000-000000000000" as SessionId;
const fleet = fleetOf(
  [],
  [
    [pane("web:0.0", { id: "%1" }), ids[0]!, "live"],
    [pane("web:0.1", { id: "%2" }), other, "live"],
    [pane("app:0.0", { id: "%3" }), ids[1]!, "live"],
    [pane("app:0.1", { id: "%4" }), null, "unknown"],
  ],
);
const role = (address: "web:0.0" | "web:0.1" | "app:0.0", name: string) => ({
  pane: address,
  role: name as Role,
  epoch: null,
});
const roles = [role("web:0.0", "mgr"), role("web:0.1", "dev"), role("app:0.0", "dev")];
const named = (typed: string) =>
  sessionNamed(typed, new Set([...ids, other]), fleet, (name) =>
    paneNamed(fleet, name, { roles, sessions: [], own: null }),
  );

test.each([
  [ids[0]!, ids[0]!],
  [ids[0]!.toUpperCase(), ids[0]!],
  ["deadbeef", other],
  ["deadbeef-00", other],
  ["web:0.0", ids[0]!],
  ["%2", other],
  ["mgr", ids[0]!],
])("[SR1] %s is a session", (typed, expected) => expect(named(typed)).toBe(expected));

test.each([
  ["15533422", /begins 2 sessions/, ids.join(", ")],
  ["deadbee", /nobody has the role "deadbee"/, "there are: dev, mgr"],
  ["1234", /no session is known as "1234"/, "first 8 digits"],
  ["00000000-0000-4000-8000-000000000000", /no session is known/, "hivemind sessions --all"],
  ["dev", /several have the role "dev": web:0.1, app:0.0/, "the pane"],
  ["web:0.9", /there is no pane web:0.9/, "web has: web:0.0"],
  ["%9", /there is no pane %9/, "hivemind status"],
  ["app:0.1", /no session is known in pane app:0.1/, "hivemind status"],
  ["\u001b[2J", /no session is known as "␛\[2J"/, "a role"],
  ["", /no session is known as ""/, "a role"],
])("[SR1] %j is refused with what there is", (typed, message, hint) => {
  expect(() => named(typed)).toThrow(message);
  expect(() => named(typed)).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
});

test("[SR2] what begins an id is that session, whoever is called so", () => {
  const same = [role("web:0.0", "deadbeef")];
  const found = sessionNamed("deadbeef", new Set([other]), fleet, (name) =>
    paneNamed(fleet, name, { roles: same, sessions: [], own: null }),
  );
  expect(found).toBe(other);
});

test("[SR3] while it may lie where nobody could look it is not unknown (incident 64)", () => {
  const missed = "00000000-0000-4000-8000-000000000000";
  const from = (path: string, typed: string) => () =>
    sessionNamed(typed, new Set([other]), unread(fleet, path), () => fleet.panes[0]!);
  const unseen = expect.objectContaining({
    exitCode: 3,
    message: expect.stringContaining("could not be seen: /c"),
  });
  for (const path of ["/c/projects", "/c/projects/-a", `/c/projects/-a/${missed}.jsonl`]) {
    expect(from(path, missed)).toThrow(unseen);
    expect(from(path, missed.slice(0, 8))).toThrow(unseen);
    expect(from(path, "deadbeef")()).toBe(other);
  }
  expect(from(`/c/projects/-a/${ids[1]}.jsonl`, missed)).toThrow(/no session is known as/);
});
