import { expect, test } from "vitest";
import { fleetOf, pane, seated, unread } from "../../../test/fleet/made.js";
import type { SessionId } from "../../names/gates.js";
import { paneNamed } from "../find-pane.js";
import { sessionNamed } from "./session-find.js";

const ids = ["15533422-8bdb-5079-8420-efcdb81dd2e5", "15533422-8bdb-5079-8420-efcdb81dd2e6"] as SessionId[];
const other = "deadbeef-0000-4000-8000-000000000000" as SessionId;
const fleet = fleetOf(
  [],
  [
    [pane("web:0.0", { id: "%1", agent: seated("web:0.0", "mgr") }), ids[0]!, "live"],
    [pane("web:0.1", { id: "%2", agent: seated("web:0.1", "dev") }), other, "live"],
    [pane("app:0.0", { id: "%3", agent: seated("app:0.0", "dev") }), ids[1]!, "live"],
    [pane("app:0.1", { id: "%4" }), null, "unknown"],
  ],
);
const named = (typed: string) =>
  sessionNamed(typed, new Set([...ids, other]), fleet, (name) => paneNamed(fleet, name, { own: null }));

test.each([
  [ids[0]!, ids[0]!],
  [ids[0]!.toUpperCase(), ids[0]!],
  ["deadbeef", other],
  ["deadbeef-00", other],
  ["web:0.0", ids[0]!],
  ["%2", other],
  ["mgr", ids[0]!],
])("%s is a session", (typed, expected) => expect(named(typed)).toBe(expected));

test.each([
  ["15533422", /matches 2 sessions/, ids.join(", ")],
  ["deadbee", /no agent has the role "deadbee"/, "roles: dev, mgr"],
  ["1234", /no session matches "1234"/, "first 8 digits"],
  ["00000000-0000-4000-8000-000000000000", /no session matches/, "hivemind sessions --all"],
  ["dev", /several agents have the role "dev": web:0.1, app:0.0/, "the pane"],
  ["web:0.9", /there is no pane web:0.9/, "panes of web: web:0.0"],
  ["%9", /there is no pane %9/, "hivemind status"],
  ["app:0.1", /no session is known in pane app:0.1/, "hivemind status"],
  ["\u001b[2J", /no session matches "␛\[2J"/, "a role"],
  ["", /no session matches ""/, "a role"],
])("%j is refused with a list", (typed, message, hint) => {
  expect(() => named(typed)).toThrow(message);
  expect(() => named(typed)).toThrow(expect.objectContaining({ hint: expect.stringContaining(hint) }));
});

test("the beginning of an id is that session, whatever the roles are", () => {
  const named = fleetOf([], [[pane("web:0.0", { agent: seated("web:0.0", "deadbeef") }), ids[0]!, "live"]]);
  const found = sessionNamed("deadbeef", new Set([other]), named, (name) =>
    paneNamed(named, name, { own: null }),
  );
  expect(found).toBe(other);
});

test("a session that may be in an unreadable folder is not unknown (incident 64)", () => {
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
  expect(from(`/c/projects/-a/${ids[1]}.jsonl`, missed)).toThrow(/no session matches/);
});
