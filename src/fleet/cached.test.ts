import { expect, test } from "vitest";
import { fleetOf } from "../../test/fleet/made.js";
import type { PaneAddress } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { Stores } from "../stores/stores.js";
import { cachedIn } from "./cached.js";

function cached(roles: RoleRow[]) {
  const read = (rows: object[]) => ({ read: () => ({ rows }) });
  const stores = { roles: read(roles), sessions: read([]) } as unknown as Stores;
  return cachedIn(stores, fleetOf([], []));
}

test("a row is dated to the beginning of its second", () => {
  const [dated, undated] = ["t:0.0", "t:0.1"] as PaneAddress[];
  const rows = [
    { pane: dated, role: "po", epoch: 17 },
    { pane: undated, role: "dev", epoch: null },
  ] as RoleRow[];
  const { registeredAtMs } = cached(rows);
  expect([registeredAtMs(dated!), registeredAtMs(undated!)]).toEqual([17_000, null]);
});
