// What a person is asked before something is decided, and what they were shown.

import { expect, test } from "vitest";
import { driver, madeFleet } from "../../test/top/made-fleet.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { SessionId } from "../names/gates.js";
import { labelOf } from "./rows.js";
import { rowsIn } from "./updated.js";

const runs = (...words: string[]) => [{ do: "run", title: words.join(" "), commands: [words] }];

const chosen = (drive: ReturnType<typeof driver>) => {
  const { selected } = drive.state();
  const row = rowsIn(drive.state()).find(({ key }) => key === selected);
  return row === undefined ? null : labelOf(row);
};

const asking = (lines: string[], size: [number, number] = [80, 24]) => {
  const drive = driver(...size);
  const [item] = drive.state().attention;
  const request = { ...(item as Extract<typeof item, { kind: "request" }>).request, lines };
  const attention = [{ ...item!, kind: "request" as const, request }];
  const looks = (now: typeof attention) =>
    drive.on({
      kind: "looked",
      fleet: madeFleet(),
      attention: now,
      worker: null,
      comeback: null,
      nowMs: 0,
    });
  return { drive: looks(attention), looks, attention };
};

test.each<[string, string[]]>([
  ["many lines", Array.from({ length: 60 }, (_, at) => `line ${at}`)],
  ["a long line", [`echo ${"x".repeat(4000)}; rm -rf /`]],
  ["a long line of wide characters", [`echo ${"東".repeat(2000)}; rm -rf /`]],
])("is not approved before its end was on the screen: %s", (_, lines) => {
  const { drive } = asking(lines);
  drive.press("a");
  const end = lines.at(-1)!.slice(-8);
  expect(drive.text()).not.toContain(end);
  expect(drive.lines().at(-1)).toMatch(/more lines to read/);
  expect(drive.press("y").effects()).toEqual([]);
  for (let page = 0; page < 5; page++) drive.press("pagedown");
  drive.press("pagedown");
  while (!drive.text().includes("y/n")) drive.press("down");
  expect(drive.text()).toContain(end);
  // A smaller terminal hides it again.
  drive.on({ kind: "sized", columns: 40, rows: 12 }).press("home", "up", "up", "up", "up");
  expect(drive.press("y").effects()).toEqual([]);
  while (!drive.text().includes("y/n")) drive.press("pagedown");
  expect(drive.press("y").effects()).toEqual(runs("approve", "req-k3j5n2ab"));
});

test.each([["a"], ["A"], ["r"], ["n"]])("%s on a request that changes meanwhile decides nothing", (key) => {
  const { drive, looks, attention } = asking(["touch a"]);
  looks(attention);
  drive.press(key);
  looks(structuredClone(attention));
  expect(drive.state().mode.kind).not.toBe("list");
  looks([{ ...attention[0]!, request: { ...attention[0]!.request, lines: ["touch b"] } }]);
  expect(drive.state().mode.kind).toBe("list");
  expect(drive.text()).toContain("nothing was decided");
  drive.press(key);
  looks([]);
  expect(drive.press("y", "enter").effects()).not.toContainEqual(expect.objectContaining({ do: "run" }));
});

test("for an agent that is gone or hidden has no target, and says so", () => {
  const drive = driver(160, 45).press("space", "/", ..."builder", "enter", "K");
  expect(drive.text()).toContain("the marked agents are not on the screen");
  const fleet = madeFleet();
  fleet.teams[1]!.agents.splice(1, 1);
  drive
    .press("/", "enter")
    .on({ kind: "looked", fleet, attention: [], worker: null, comeback: null, nowMs: 0 });
  expect(drive.state().marked.size).toBe(0);
});

test("ends several only after their names were shown", () => {
  const drive = driver(160, 45).press("space", "space", "K");
  expect(drive.text()).toMatch(/tester\n +architect/);
  expect(drive.lines().at(-1)).toContain("End 2 agents? y/n");
});

test("answers a conversation in the background by its request, and nobody else's", () => {
  const fleet = madeFleet();
  const [request] = fleet.teams[1]!.agents[1]!.requests;
  const job = {
    ...{ uuid: fleet.teams[0]!.agents[0]!.uuid as SessionId, job: "ab12cd34", name: "night", kind: "demo" },
    ...{ pid: 7, activity: "waiting", state: "live", parent: null, waitingFor: null, model: null },
    ...{ context: null, cwd: "/srv", requests: [{ ...request!, id: "req-bbbbbbbb" }] },
  } as unknown as FleetView["background"][number];
  fleet.background = [job];
  const drive = driver(160, 45);
  const waiter = { who: "night", team: null, agent: null, pane: null, paneId: null };
  const item = { ...waiter, kind: "request" as const, request: { ...job.requests[0]!, lines: ["make"] } };
  drive.on({ kind: "looked", fleet, attention: [item], worker: null, comeback: null, nowMs: 0 });
  expect(drive.press("end", "a", "y").effects()).toEqual(runs("approve", "req-bbbbbbbb"));
  drive.on({ kind: "ran", result: { isFailed: false, lines: [] } });
  // An agent that is away has no pane either.
  while (chosen(drive) !== "archivist") drive.press("up");
  expect(drive.press("a", "y").effects()).toEqual([]);
  expect(drive.press("end", "enter").effects()).toEqual([]);
  expect(drive.text()).toContain("claude attach ab12cd34");
});
