import { expect, test } from "vitest";
import { fleetOf } from "../../test/fleet/made.js";
import { a, b, c, d } from "../../test/fleet/subjects.js";
import type { PaneAddress } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import type { RoleRow } from "../stores/roles.js";
import type { Stores } from "../stores/stores.js";
import { cachedIn } from "./cached.js";

function cached(forks: Partial<ForkRow>[], roles: RoleRow[] = []) {
  let scans = 0;
  const scan = () => {
    scans++;
    return forks;
  };
  const read = (rows: object[]) => ({ read: () => ({ rows }) });
  const stores = { roles: read(roles), sessions: read([]), forks: { scan } } as unknown as Stores;
  return { ...cachedIn(stores, fleetOf([], [])), scans: () => scans };
}

test("[CL6] what S5 says is followed through generations, once read and only if asked for", () => {
  const { isDescendant, scans } = cached([
    { uuid: b, parent: a },
    { uuid: c, parent: b },
  ]);
  expect(scans()).toBe(0);
  expect([isDescendant(b, a), isDescendant(c, a)]).toEqual([true, true]);
  expect([isDescendant(a, c), isDescendant(d, a), isDescendant(a, a)]).toEqual([false, false, false]);
  expect(scans()).toBe(1);
});

test("[CL6] also where it goes round", () => {
  const { isDescendant } = cached([
    { uuid: b, parent: a },
    { uuid: a, parent: b },
  ]);
  expect([isDescendant(b, a), isDescendant(b, c)]).toEqual([true, false]);
});

test("[CL5] what began in the very second of a row is not known to have begun since", () => {
  const [dated, undated] = ["t:0.0", "t:0.1"] as PaneAddress[];
  const rows = [
    { pane: dated, role: "po", epoch: 17 },
    { pane: undated, role: "dev", epoch: null },
  ] as RoleRow[];
  const { registeredAtMs } = cached([], rows);
  expect([registeredAtMs(dated!), registeredAtMs(undated!)]).toEqual([18_000, null]);
});
