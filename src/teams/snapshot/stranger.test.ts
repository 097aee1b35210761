import { expect, test } from "vitest";
import { pane, seated } from "../../../test/fleet/made.js";
import { facts, row, saved, there, written } from "../../../test/teams/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { SessionId } from "../../names/gates.js";
import { planRestore } from "./restore-plan.js";

const rows = [row("0.0")];
const first = rows[0]!.uuid!;
const agent = (role: string) => seated("web:0.0", role);
const fork = { began: null, forkedFrom: first, model: null, name: null };
test.each<[string, Partial<FleetPane>, SessionId | null, "taken" | "refused"]>([
  ["its own agent after /clear", { agent: agent("r00") }, idOf(500), "taken"],
  ["its own agent, whose session is unknown", { agent: agent("r00") }, null, "taken"],
  ["an agent with its name that the roster does not know", { name: "r00" }, idOf(500), "taken"],
  ["a fork of it", { arguments: fork }, idOf(500), "taken"],
  ["an agent without a name", {}, idOf(500), "refused"],
  ["an agent without a name or a session", {}, null, "refused"],
])("[RS1] its pane holds %s", (_, facts_, uuid, expected) => {
  const [row] = rows;
  const plan = planRestore(saved([row!]), facts(written(row!), [[there("0.0", facts_), uuid]]), false);
  expect(plan.starts).toEqual([]);
  if (expected === "taken") expect(plan).toMatchObject({ refused: [], left: [{ is: "taken" }] });
  else
    expect(plan).toMatchObject({
      left: [],
      refused: [{ role: "r00", exitCode: 1, why: expect.stringContaining("another agent runs in web:0.0") }],
    });
});

test("[RS1] a stranger in its pane is no problem while its session runs elsewhere", () => {
  const panes = [
    [there("0.0"), idOf(500)],
    [pane("other:3.1"), first],
  ] as const;
  const plan = planRestore(saved([rows[0]!]), facts(written(rows[0]!), panes), false);
  expect(plan).toMatchObject({ refused: [], left: [{ is: "elsewhere" }] });
});
