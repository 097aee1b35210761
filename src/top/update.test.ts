import { describe, expect, test } from "vitest";
import { agent, driver, madeFleet } from "../../test/top/made-fleet.js";
import { actionFor, bindings } from "./bindings.js";
import { labelOf } from "./rows.js";
import { widthOf } from "./terminal/frame.js";
import { typedWords } from "./typed-words.js";
import { rowsIn } from "./updated.js";

const chosen = (drive: ReturnType<typeof driver>) => {
  const { selected } = drive.state();
  const row = rowsIn(drive.state()).find(({ key }) => key === selected);
  return row === undefined ? null : labelOf(row);
};

test("every key has one action", () => {
  const keys = bindings.flatMap((binding) => binding.keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { action, keys } of bindings) for (const key of keys) expect(actionFor(key)).toBe(action);
});

describe("the list", () => {
  test("has the waiting ones first, and begins with one", () => {
    expect(rowsIn(driver(160, 45).state()).map(labelOf)).toEqual([
      ...["shop", "tester", "architect", "東京", "porter", "archivist"],
      ...["api", "lead", "builder"],
    ]);
    expect(chosen(driver(160, 45))).toBe("tester");
  });

  test("keeps its choice while rows move, and takes the neighbour of one that is gone", () => {
    const drive = driver(160, 45).press("down", "down");
    expect(chosen(drive)).toBe("東京");
    const fleet = madeFleet();
    fleet.teams[0]!.agents.unshift(agent("new", "waiting"));
    drive.on({ kind: "looked", fleet, attention: [], worker: null, comeback: null, nowMs: 0 });
    expect(chosen(drive)).toBe("東京");
    const without = madeFleet();
    without.teams[1]!.agents.splice(2, 1);
    drive.on({ kind: "looked", fleet: without, attention: [], worker: null, comeback: null, nowMs: 0 });
    expect(chosen(drive)).toBe("builder");
  });

  test.each([
    [["down"], "architect"],
    [["up"], "shop"],
    [["end"], "builder"],
    [["home"], "shop"],
    [["end", "pageup"], "shop"],
    [["left"], "shop"],
    [["left", "right", "down"], "tester"],
    [["o"], "tester"],
    [["j", "j", "k"], "architect"],
  ])("after %j %s is chosen", (keys, label) => {
    expect(chosen(driver(160, 45).press(...keys))).toBe(label);
  });

  test("scrolls with the choice, and a click and the wheel choose too", () => {
    const drive = driver(40, 8);
    drive.press("end");
    expect(drive.state().listTop).toBeGreaterThan(0);
    expect(drive.text()).toContain("builder");
    drive.press("home").on({ kind: "click", row: 2, column: 3 });
    expect(chosen(drive)).toBe("tester");
    drive.on({ kind: "wheel", by: 1, row: 2, column: 3 });
    expect(chosen(drive)).toBe("architect");
  });

  test("is filtered as one types, and whole again after Escape", () => {
    const drive = driver(160, 45).press("/").type("build");
    expect(rowsIn(drive.state()).map(labelOf)).toEqual(["api", "builder"]);
    drive.press("enter");
    expect(drive.state()).toMatchObject({ filter: "build", mode: { kind: "list" } });
    drive.press("escape");
    expect(rowsIn(drive.state())).toHaveLength(9);
  });

  test.each([
    ["tmux", ["lead", "builder", "architect", "tester"]],
    ["context", ["lead", "builder", "architect", "tester"]],
    ["name", ["builder", "lead", "architect", "archivist"]],
  ])("ordered by %s begins with %j", (order, labels) => {
    const drive = driver(160, 45);
    while (drive.state().order !== order) drive.press("o");
    const agents = rowsIn(drive.state()).filter(({ kind }) => kind === "agent");
    expect(agents.map(labelOf).slice(0, 4)).toEqual(labels);
  });
});

describe("an action", () => {
  const runs = (...commands: string[][]) => [
    { do: "run", title: commands.map((words) => words.join(" ")).join("; "), commands },
  ];

  test.each([
    [["a", "y"], [["approve", "req-k3j5n2ab"]]],
    [["A", "y"], [["approve", "req-k3j5n2ab", "--always"]]],
    [["r", "enter"], [["reject", "req-k3j5n2ab", "--"]]],
    [["r", ..."no net", "enter"], [["reject", "req-k3j5n2ab", "--", "no net"]]],
    [["n", ...'2 "a b"', "enter"], [["answer", "req-k3j5n2ab", "--", "2", "a b"]]],
    [["s", ..."--now", "enter"], [["send", "%4", "--", "--now"]]],
    [["space", "f", ..."second", "enter"], [["agent", "fork", "%3", "--as", "second"]]],
    [["s", ..."hello you", "enter"], [["send", "%4", "--", "hello you"]]],
    [["h"], [["hold", "%4"]]],
    [["H"], [["release", "%4"]]],
    [["f", ..."second", "enter"], [["agent", "fork", "%4", "--as", "second"]]],
    [["m", ..."qa", "enter"], [["agent", "rename", "%4", "qa"]]],
    [["R", "y"], [["agent", "restart", "%4"]]],
    [["K", "y"], [["agent", "kill", "--yes", "%4"]]],
    [["S"], [["save"]]],
    [["B", "y"], [["restore"]]],
    [["w"], [["watch", "--background"]]],
    [["end", "R", "y"], [["agent", "restart", "%2"]]],
    [
      ["space", "space", "h"],
      [
        ["hold", "%4"],
        ["hold", "%3"],
      ],
    ],
  ])("%j runs %j", (keys, commands) => {
    expect(
      driver(160, 45)
        .press(...keys)
        .effects(),
    ).toEqual(runs(...commands));
  });

  test.each([
    [["q"], [{ do: "quit" }]],
    [["C-c"], [{ do: "quit" }]],
    [["enter"], [{ do: "go", name: "%4" }]],
    [["e"], [{ do: "edit", names: ["%4"] }]],
    [[":", ..."status --json", "enter"], [{ do: "lend", words: ["status", "--json"] }]],
    [[":", ..."hivemind save", "enter"], [{ do: "lend", words: ["save"] }]],
    [[":", ..."st", "tab"], [{ do: "propose", text: "st" }]],
    [["a", "n"], []],
    [["K", "escape"], []],
    [["s", "escape"], []],
    [["s", "enter"], []],
    [["down", "a"], []],
    [["home", "K"], []],
    [["home", "enter"], []],
    [["space", "enter"], [{ do: "go", name: "%3" }]],
    [["f", "enter"], []],
  ])("%j has the effects %j", (keys, effects) => {
    expect(
      driver(160, 45)
        .press(...keys)
        .effects(),
    ).toEqual(effects);
  });

  test("that is running keeps another one away", () => {
    const drive = driver(160, 45).press("S", "S");
    expect(drive.effects()).toHaveLength(1);
    expect(drive.state().result?.lines).toEqual(["still running: save"]);
    drive.on({ kind: "ran", result: { isFailed: false, lines: ["saved"] } });
    expect(drive.press("S").effects()).toHaveLength(1);
  });

  test("on several approves only what can be read as it is, and shows each", () => {
    const fleet = madeFleet();
    const [first] = fleet.teams[0]!.agents;
    const hidden = {
      ...fleet.teams[1]!.agents[1]!.requests[0]!,
      id: "req-aaaaaaaa" as const,
      isPlain: false,
    };
    fleet.teams[0]!.agents[0] = { ...first!, activity: "waiting", requests: [hidden] };
    const drive = driver(160, 45, fleet);
    const own = { who: "lead", team: "api", agent: first!.agent, pane: first!.pane, paneId: first!.paneId };
    const more = { ...own, kind: "request" as const, request: { ...hidden, lines: ["rm -rf x"] } };
    const attention = [...drive.state().attention, more];
    drive.on({ kind: "looked", fleet, attention, worker: null, comeback: null, nowMs: 0 });
    const choose = (label: string) => {
      const at = rowsIn(drive.state()).findIndex((row) => labelOf(row) === label);
      drive.press("home", ...Array(at).fill("down"), "space");
    };
    choose("lead");
    choose("tester");
    drive.press("a");
    expect(drive.text()).toContain("npm publish --dry-run");
    expect(drive.text()).toContain("(1 left out)");
    expect(drive.text()).not.toContain("rm -rf x");
    drive.press("y");
    expect(drive.effects()).toEqual(runs(["approve", "req-k3j5n2ab"]));
  });

  test("without a fleet, Enter brings back what was saved", () => {
    const nobody = { teams: [], background: [] };
    const drive = driver(80, 24, nobody);
    expect(drive.press("enter").effects()).toEqual([]);
    drive.on({
      kind: "looked",
      fleet: nobody,
      attention: [],
      worker: null,
      comeback: "the saved teams",
      nowMs: 0,
    });
    expect(drive.text()).toContain("Enter brings back the saved teams");
    expect(drive.press("enter").effects()).toEqual(runs(["restore"]));
  });
});

describe("the typed line", () => {
  test.each([
    [[..."abc", "left", "left", "X"], "aXbc"],
    [[..."a😀b", "left", "backspace"], "ab"],
    [[..."one two", "C-w"], "one "],
    [[..."one two", "C-u"], ""],
    [[..."abc", "home", "delete"], "bc"],
    [[..."abc", "C-a", "X", "C-e", "Y"], "XabcY"],
  ])("%j is %j", (keys, text) => {
    expect(
      driver(80, 24)
        .press("s", ...keys)
        .state().mode,
    ).toMatchObject({ text });
  });

  test("takes a paste as one line, and shows the cursor where it is, also behind wide characters", () => {
    const drive = driver(80, 24).press("s").on({ kind: "paste", text: "two\nlines" });
    expect(drive.state().mode).toMatchObject({ text: "two lines" });
    const wide = driver(80, 24).press("/").type("東京");
    expect(wide.cursor()).toEqual({ row: 23, column: 5 });
    expect(driver(80, 24).cursor()).toBeNull();
  });

  test.each(["x", "東"])("shows the part around the cursor if it is too long: %s", (char) => {
    const drive = driver(40, 12)
      .press("s")
      .type(`${char.repeat(200)}end`);
    expect(drive.lines().at(-1)).toMatch(/end *$/);
    expect(drive.cursor()!.column).toBe(widthOf(drive.lines().at(-1)!.trimEnd()));
    expect(drive.cursor()!.column).toBeLessThan(40);
    drive.press("home");
    expect(drive.lines().at(-1)).toContain(`: ${char}${char}`);
  });

  test("is completed: one proposal whole, several as far as they agree", () => {
    const drive = driver(80, 24).press(":").type("que");
    drive.on({ kind: "proposed", text: "que", proposals: ["queue"] });
    expect(drive.state().mode).toMatchObject({ text: "queue " });
    drive.on({ kind: "proposed", text: "queue ", proposals: ["list", "link"] });
    expect(drive.state().mode).toMatchObject({ text: "queue li", proposals: ["list", "link"] });
    drive.on({ kind: "proposed", text: "an older text", proposals: ["x"] });
    expect(drive.state().mode).toMatchObject({ text: "queue li" });
  });
});

test.each([
  ["a b", ["a", "b"]],
  ['send x "two words"', ["send", "x", "two words"]],
  ["it's 'one' ''", ["it's", "one", ""]],
  ["", []],
])("the words of %j are %j", (text, words) => expect(typedWords(text)).toEqual(words));

test("a failed look is said, and the last one stays", () => {
  const drive = driver(160, 45).on({ kind: "look failed", why: "tmux does not answer" });
  expect(drive.lines()[0]).toContain("old: tmux does not answer");
  expect(drive.text()).toContain("tester");
});

test("a pane shows its end, and scrolls up and down; everything else shows its beginning", () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at}.`);
  const drive = driver(160, 45);
  const { selected } = drive.state();
  drive.on({ kind: "loaded", detail: { key: selected!, tab: "pane", lines } });
  expect(drive.text()).toContain("line 99.");
  drive.press("[");
  expect(drive.text()).not.toContain("line 99.");
  drive.press("]");
  expect(drive.text()).toContain("line 99.");
  drive.press("6").on({ kind: "loaded", detail: { key: selected!, tab: "history", lines } });
  expect(drive.text()).toContain("line 0.");
  drive.press("]");
  expect(drive.text()).not.toContain("line 0.");
  drive.press("[");
  expect(drive.text()).toContain("line 0.");
});
