import { expect, test } from "vitest";
import { fleetOf, pane } from "../../test/fleet/made.js";
import type { Rows } from "../fleet/gone.js";
import type { FleetPane } from "../fleet/panes.js";
import type { UnnamedAgent } from "../fleet/refresh.js";
import { unnamedLines } from "./naming.js";

test("[NMH1] who has no role can be named; where another is awaited, what brings that one back is told instead", () => {
  const made = (at: string) =>
    pane(at, { sessionCreatedMs: 100_000, name: null, title: "" } as Partial<FleetPane>);
  const panes = { ...fleetOf([]), panes: [made("web:0.0"), made("web:0.1")], takenAtMs: 300_000 };
  const rows = { roles: [{ pane: "web:0.1", role: "po", epoch: 99 }], sessions: [] } as unknown as Rows;
  const unnamed = [
    { pane: "web:0.0", title: null, why: "its title\u001b names none" },
    { pane: "web:0.1", title: null, why: "kept" },
  ] as UnnamedAgent[];
  expect(unnamedLines("hivemind", panes, rows, unnamed)).toEqual([
    "unnamed: web:0.0 (its title␛ names none)",
    "  hivemind agent adopt web:0.0 --role ROLE",
    "unnamed: web:0.1 (kept)",
    "  free its name: tmux rename-session -t '=web' NAME – then: hivemind team restart web",
  ]);
});
