import { expect, test } from "vitest";
import type { Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import { movedOn } from "./moved-on.js";

const lead = "lead" as Role;
const own = deriveSessionId("shop", "lead");
const [next, third] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"].map(
  (id) => id as SessionId,
) as [SessionId, SessionId];
const row = (uuid: SessionId) => ({ project: "shop", agent: lead, uuid });
const other = { project: "shop", agent: "dev" as Role, uuid: third };

test("[UM1] an agent is followed from the session it had, and from that only", () => {
  expect(movedOn([other], row(next), own)).toEqual([other, row(next)]);
  expect(movedOn([row(next)], row(third), next)).toEqual([row(third)]);
  const rows = [other];
  expect(movedOn(rows, row(next), third)).toBe(rows);
  expect(movedOn(rows, row(next), null)).toBe(rows);
  const moved = [row(next)];
  expect(movedOn(moved, row(third), own)).toBe(moved);
});

test("[UM2] one that is back where its name says has not moved", () => {
  expect(movedOn([other, row(next)], row(own), next)).toEqual([other]);
});
