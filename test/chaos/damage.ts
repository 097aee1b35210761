// A person edits the stores by hand, correctly and incorrectly, while nothing else writes them.

import { type Action, type Scene, sessions } from "./action.js";
import { uuidOf } from "./random.js";
import { queuePath, rowsOf, teamOf } from "./rows.js";
import type { StoreId } from "./stage.js";

export const damageActions: readonly Action[] = [
  { name: "drop a row", weight: 4, run: dropRow },
  { name: "change a row", weight: 4, run: changeRow },
  { name: "double a row", weight: 2, run: doubleRow },
  { name: "name by hand", weight: 4, run: nameByHand },
  { name: "ghost row", weight: 4, run: ghostRow },
  { name: "ghost team", weight: 1, run: ghostTeam },
  { name: "ghost queue", weight: 2, run: ghostQueue },
  { name: "ghost window", weight: 1, run: ghostWindow },
  { name: "foreign lines", weight: 3, run: foreignLines },
  { name: "line ends", weight: 2, run: lineEnds },
];

type Keyed = "S1" | "S2";

function dropRow(scene: Scene): string | null {
  const picked = pickRow(scene);
  if (picked === null) return null;
  const { store, row } = picked;
  edit(scene, store, (lines) => lines.filter((line) => keyIn(line) !== row[0]));
  return `drop ${row.join("|")} of ${store}`;
}

function changeRow(scene: Scene): string | null {
  const picked = pickRow(scene);
  if (picked === null) return null;
  const { store, row } = picked;
  const changed = otherRow(scene, store, row);
  edit(scene, store, (lines) => lines.map((line) => (keyIn(line) === row[0] ? changed : line)));
  return `change ${row.join("|")} of ${store} to ${changed}`;
}

/** Of two rows for one pane the last counts. */
function doubleRow(scene: Scene): string | null {
  const picked = pickRow(scene);
  if (picked === null) return null;
  const { store, row } = picked;
  const second = otherRow(scene, store, row);
  edit(scene, store, (lines) => [...lines, second]);
  return `double ${row.join("|")} of ${store} with ${second}`;
}

/** A row for a pane without a known agent. */
function nameByHand(scene: Scene): string | null {
  const { stage, memory, random } = scene;
  const teams = new Set(memory.teams());
  const rows = new Set(rowsOf("S1", stage.read("S1")).map(([pane]) => pane));
  const nobody = memory
    .now()
    .filter(
      ({ id, address, sessionName }) => teams.has(sessionName) && !rows.has(address) && !memory.agentIn(id),
    );
  if (nobody.length === 0) return null;
  const { address, known } = random.pick(nobody);
  const role = memory.fresh("hand");
  known.byHand = { role, address };
  const time = random.chance(0.5) ? `|${Math.floor(Date.now() / 1000)}` : "";
  edit(scene, "S1", (lines) => [...lines, `${address}|${role}${time}`]);
  return `name ${address} ${role} by hand`;
}

/** For a missing pane, in a team that runs or in an unknown one. */
function ghostRow(scene: Scene): string | null {
  const { memory, random } = scene;
  const running = sessions(scene);
  const team =
    running.length > 0 && random.chance(0.8) ? random.pick(running).sessionName : memory.fresh("gone");
  const pane = `${team}:${80 + random.below(20)}.${random.below(3)}`;
  const rows: [Keyed, string][] = [
    [
      "S1",
      `${pane}|${memory.fresh("ghost")}${random.chance(0.5) ? `|${Math.floor(Date.now() / 1000)}` : ""}`,
    ],
    ["S2", `${pane}|${uuidOf(random)}`],
  ];
  const chosen = random.pick([rows, rows.slice(0, 1), rows.slice(1)]);
  for (const [store, row] of chosen) edit(scene, store, (lines) => [...lines, row]);
  return `ghost ${chosen.map(([store, row]) => `${row} in ${store}`).join(" and ")}`;
}

function ghostTeam(scene: Scene): string {
  const team = scene.memory.fresh("ghosts");
  edit(scene, "S3", (lines) => [...lines, `${team}|a team that never existed`]);
  return `ghost team ${team}`;
}

function ghostQueue(scene: Scene): string {
  const { stage, memory, random } = scene;
  const running = sessions(scene);
  const team =
    running.length > 0 && random.chance(0.7) ? random.pick(running).sessionName : memory.fresh("gone");
  const pane = `${team}:${80 + random.below(20)}.0`;
  const now = Math.floor(Date.now() / 1000);
  const kinds: Record<string, string> = {
    empty: "",
    expired: `${now - 90_000}|inform|${memory.fresh("old ")}\n`,
    waiting: `${now}|inform|${memory.fresh("ghost ")}\n`,
  };
  const kind = random.pick(Object.keys(kinds));
  stage.write(queuePath(stage, pane), kinds[kind]!);
  return `ghost queue of ${pane}: ${kind}`;
}

function ghostWindow(scene: Scene): string {
  const { memory, random } = scene;
  const team = random.chance(0.5) ? memory.fresh("gone") : (memory.teams()[0] ?? "nobody");
  edit(scene, "S8", (lines) => [...lines, `${random.below(100)}|${team}`]);
  return `ghost window of ${team}`;
}

function foreignLines(scene: Scene): string {
  const { memory, random } = scene;
  const store = random.pick<StoreId>(["S1", "S2", "S3", "S5"]);
  const number = memory.fresh("");
  const line = random.pick([
    `# a note of mine ${number}`,
    `  # indented ${number}`,
    `Did you mean: ${number}?`,
    `a|b|c|d|e|f|g|${number}`,
    `red:0.98|$(touch canary)|${number}`,
    `ünï|çødé ${number}`,
  ]);
  edit(scene, store, (lines) => {
    // S5 is only ever appended to, also by a careful person.
    const at = store === "S5" ? lines.length : random.below(lines.length + 1);
    return [...lines.slice(0, at), line, ...lines.slice(at)];
  });
  memory.foreign.push({ store, line });
  return `write ${JSON.stringify(line)} into ${store}`;
}

/** With the line ends of another system's editor. The rows are the same. */
function lineEnds(scene: Scene): string | null {
  const { stage, random } = scene;
  const store = random.pick<Keyed>(["S1", "S2"]);
  const text = stage.read(store);
  if (text === "") return null;
  const isCut = random.chance(0.5);
  stage.write(stage.path(store), isCut ? text.replace(/\r?\n$/, "") : text.replaceAll(/\r?\n/g, "\r\n"));
  return isCut ? `cut the last line end of ${store}` : `${store} with carriage returns`;
}

function edit({ stage, memory }: Scene, store: StoreId, change: (lines: string[]) => string[]): void {
  const before = stage.read(store);
  const lines = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const text = change(lines).map((line) => `${line}\n`);
  stage.write(stage.path(store), text.join(""));
  if (store === "S5") memory.lineage = stage.read("S5");
}

function pickRow({ stage, random }: Scene): { store: Keyed; row: string[] } | null {
  const store = random.pick<Keyed>(["S1", "S2"]);
  const rows = rowsOf(store, stage.read(store));
  return rows.length === 0 ? null : { store, row: random.pick(rows) };
}

/** The agent of the row may have that role or session from then on. */
function otherRow(scene: Scene, store: Keyed, [pane]: string[]): string {
  const value = store === "S1" ? scene.memory.fresh("wrong") : otherUuid(scene);
  const isRunning = scene.memory.now().some(({ sessionName }) => sessionName === teamOf(pane!));
  for (const { row, roles, sessions } of scene.memory.agents.values())
    if (row.address === pane && (row.seat !== null || !isRunning))
      (store === "S1" ? roles : sessions).add(value.toLowerCase());
  return `${pane}|${value}`;
}

/** Of no agent, or of another agent, in the spelling of another program. */
function otherUuid({ memory, random }: Scene): string {
  const known = [...memory.agents.values()].flatMap(({ row }) => row.session ?? []);
  return known.length > 0 && random.chance(0.5) ? random.pick(known).toUpperCase() : uuidOf(random);
}

function keyIn(line: string): string {
  return line.split("|")[0]!;
}
