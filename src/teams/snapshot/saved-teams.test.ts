import { expect, test } from "vitest";
import { agentRow, fleetOf } from "../../../test/fleet/made.js";
import { testHome } from "../../../test/home.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { TeamName } from "../../names/gates.js";
import { openStores } from "../../stores/stores.js";
import { registeredTeam } from "./saved-teams.js";

const web = "web" as TeamName;

function rowsOf(...agents: ReturnType<typeof agentRow>[]) {
  const { env } = testHome();
  const said: string[] = [];
  const team = registeredTeam(openStores(env), web, fleetOf([], [], agents), (line) => said.push(line));
  const rows = team?.rows.map(({ role, window, pane, kind }) => `${role} ${window}.${pane} ${kind}`);
  return { rows: rows?.sort(), said };
}

test("a team that was never saved comes back from the roster, each agent at its last address", () => {
  const session = idOf(1);
  expect(rowsOf(agentRow("ops:0.0", "po"), agentRow("web:0.0", null, { session })).rows).toBeUndefined();
  expect(
    rowsOf(
      agentRow("web:1.2", "po", { session, kind: "demo" }),
      agentRow("web:0.0", "dev", { session: idOf(2), kind: "" }),
      agentRow("web:0.3", "sh", { kind: "" }),
    ),
  ).toEqual({
    rows: ["dev 0.0 claude", "po 1.2 demo", "sh 0.3 shell"],
    said: ["web: no snapshot or layout has the kind of these agents, so they start as claude: dev"],
  });
});

test("of two agents with one last address the later one keeps it, and neither is lost", () => {
  const one = { session: idOf(1), epoch: 1 };
  const two = { session: idOf(2), epoch: 2 };
  const none = { session: idOf(3), epoch: 3, team: web, address: null };
  expect(
    rowsOf(agentRow("web:0.1", "old", one), agentRow("web:0.1", "new", two), agentRow("web:0.0", "x", none))
      .rows,
  ).toEqual(["new 0.1 claude", "old 0.2 claude", "x 0.0 claude"]);
});
