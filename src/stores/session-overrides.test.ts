import { expect, test } from "vitest";
import type { Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import { withOverride } from "./session-overrides.js";

const lead = "lead" as Role;
const own = deriveSessionId("shop", "lead");
const [next, third] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"].map(
  (id) => id as SessionId,
) as [SessionId, SessionId];
const row = (uuid: SessionId) => ({ project: "shop", agent: lead, uuid });
const other = { project: "shop", agent: "dev" as Role, uuid: third };

test("an agent is followed only from its own session", () => {
  expect(withOverride([other], row(next), own)).toEqual([other, row(next)]);
  expect(withOverride([row(next)], row(third), next)).toEqual([row(third)]);
  const rows = [other];
  expect(withOverride(rows, row(next), third)).toBe(rows);
  expect(withOverride(rows, row(next), null)).toBe(rows);
  const moved = [row(next)];
  expect(withOverride(moved, row(third), own)).toBe(moved);
});

test("an agent back in its derived session has no row", () => {
  expect(withOverride([other, row(next)], row(own), next)).toEqual([other]);
});
