import { describe, expect, test } from "vitest";
import { driver, farAgent, farAsks, madeFar, nowMs } from "../../test/top/made-fleet.js";
import type { Host } from "../names/gates.js";

const none = { teams: [], background: [] };
const beta = "beta" as Host;
const looked = (far = madeFar()) => ({ kind: "far looked" as const, far, nowMs });

/** Only other hosts have agents; the one that waits is chosen. */
const farDriver = (far = madeFar()) => driver(160, 45, none).on(looked(far));
const result = (drive: ReturnType<typeof driver>) => drive.state().result?.lines.join("\n");

test("without other hosts no row, no word and no cost of them is there", () => {
  const drive = driver(160, 45);
  expect(drive.state().far).toBeNull();
  expect(drive.text()).not.toMatch(/host/);
});

test("other hosts come after this host's own teams, and the choice stays where it was", () => {
  const drive = driver(160, 45);
  const before = drive.state().selected;
  drive.on(looked());
  expect(drive.state().selected).toBe(before);
  expect(drive.text()).toMatch(
    /builder[\s\S]*@beta +reached 2s ago +1 waiting[\s\S]*tester +waiting +12s old/,
  );
  expect(drive.text()).toMatch(/@gone +not reached for 8m/);
});

test("a lost connection keeps the rows and says so, until the hosts are read again", () => {
  const drive = farDriver().on({ kind: "far lost", why: "no answer" });
  expect(drive.text()).toMatch(/fleet: no answer[\s\S]*@beta +no connection; last sign 2s ago/);
  expect(drive.text()).toContain("tester");
  expect(drive.on(looked()).text()).not.toContain("no answer");
});

describe("a key on an agent of another host", () => {
  const runs = (...words: string[]) => [{ do: "run", title: words.join(" "), commands: [words] }];

  test.each<[string, string[], string[]]>([
    ["sends", ["s", "h", "i", "enter"], ["send", "@testeraaaa@beta", "--", "hi"]],
    ["holds", ["h"], ["hold", "@testeraaaa@beta"]],
    ["restarts", ["R", "y"], ["agent", "restart", "@testeraaaa@beta"]],
    ["ends", ["K", "y"], ["agent", "kill", "--yes", "@testeraaaa@beta"]],
    ["forks", ["f", "x", "enter"], ["agent", "fork", "@testeraaaa@beta", "--as", "x"]],
  ])("%s with the command that a person would type", (_, keys, words) => {
    expect(
      farDriver()
        .press(...keys)
        .effects(),
    ).toEqual(runs(...words));
  });

  test.each<[string, string[], RegExp]>([
    ["going to its pane", ["enter"], /^its pane is on beta: /],
    ["another role", ["m"], /^tester@beta gets another role on its own host only$/],
    ["an answer to an agent that asks nothing", ["down", "a"], /^nothing waits for an answer here$/],
    ["an answer on a host that is not reached", ["end", "a"], /^gone is not reached/],
    ["answers to several", ["space", "space", "a"], /one at a time/],
    ["a message to a host", ["home", "s"], /^choose an agent first$/],
  ])("says in one line that this is not possible: %s", (_, keys, words) => {
    const drive = farDriver().press(...keys);
    expect(drive.effects()).toEqual([]);
    expect(result(drive)).toMatch(words);
    expect(drive.state().result?.lines).toHaveLength(1);
  });

  test("on the heading of its host folds the host", () => {
    const drive = farDriver().press("home", "enter");
    expect(drive.text()).not.toContain("tester");
    expect(drive.press("enter").text()).toContain("tester");
  });

  test("marks it; the mark goes when the agent is gone", () => {
    const drive = farDriver().press("space");
    expect(drive.state().marked.size).toBe(1);
    expect(drive.on(looked()).state().marked.size).toBe(1);
    expect(drive.on(looked({ ...madeFar(), agents: [] })).state().marked.size).toBe(0);
  });
});

describe("a request of another host", () => {
  const reading = (key: string) => {
    const drive = farDriver().press(key);
    const [effect] = drive.effects();
    if (effect?.do !== "far requests") throw new Error(`no reading: ${effect?.do}`);
    return { drive, next: effect.next, host: effect.host };
  };
  const read = (key: string, lines: string[]) => {
    const { drive, next, host } = reading(key);
    return drive.on({ kind: "far asked", host, attention: farAsks(host, lines), next });
  };

  test("is read from its host, shown, and approved by its own id after a yes", () => {
    const drive = read("a", ["rm -r build"]);
    expect(drive.text()).toMatch(/tester@beta asks to use Bash:\s+rm -r build[\s\S]*Approve this\? y\/n/);
    expect(drive.effects()).toEqual([]);
    expect(drive.press("y").effects()).toMatchObject([{ commands: [["approve", "req-k3j5n2ab@beta"]] }]);
  });

  test.each([
    ["r", ["n", "o", "enter"], ["reject", "req-k3j5n2ab@beta", "--", "no"]],
    ["n", ["2", "enter"], ["answer", "req-k3j5n2ab@beta", "--", "2"]],
    ["A", ["y"], ["approve", "req-k3j5n2ab@beta", "--always"]],
  ])("%s runs its command", (key, keys, words) => {
    expect(
      read(key, ["rm"])
        .press(...keys)
        .effects(),
    ).toMatchObject([{ commands: [words] }]);
  });

  test("whose words its host does not show is not decided here", () => {
    const drive = read("a", []);
    expect(result(drive)).toBe("beta does not show its requests; type there: hivemind fleet allow approve");
    expect(drive.state().mode.kind).toBe("list");
  });

  test("that was answered meanwhile is not asked about", () => {
    const { drive, next, host } = reading("a");
    drive.on({ kind: "far asked", host, attention: [], next });
    expect(result(drive)).toBe("nothing waits for an answer here");
    expect(drive.state().running).toBeNull();
  });

  test("that changed while the question was open closes the question", () => {
    const drive = read("a", ["rm -r build"]);
    drive.on({ kind: "far asked", host: beta, attention: farAsks(beta, ["rm -r /"]), next: null });
    expect(result(drive)).toMatch(/nothing was decided/);
    expect(drive.state().mode.kind).toBe("list");
  });

  test("stays open while this host's own agents are looked at", () => {
    const drive = read("a", ["rm -r build"]);
    drive.on({ kind: "looked", fleet: none, attention: [], worker: null, comeback: null, nowMs });
    expect(drive.state().mode.kind).toBe("asking");
  });

  test("is not asked about if the person does something else by then", () => {
    const { drive, next, host } = reading("a");
    drive.press("s").on({ kind: "far asked", host, attention: farAsks(host, ["rm"]), next });
    expect(drive.state().mode.kind).toBe("typing");
  });
});

test.each<[string, RegExp]>([
  ["1", /Its screen is on beta/],
  ["2", /rm -r build/],
  ["3", /host +beta[\s\S]*folder +shop/],
  ["5", /Its queue is on beta/],
])("view %s says what is known here", (tab, words) => {
  const drive = farDriver()
    .on({ kind: "far asked", host: beta, attention: farAsks(beta, ["rm -r build"]), next: null })
    .press(tab);
  expect(drive.text()).toMatch(words);
});

test("a place that looks like an option is never part of a command", () => {
  const far = { ...madeFar(), agents: [farAgent("beta", "lead", "idle", { agent: null, pane: "--yes" })] };
  expect(farDriver(far).press("h").effects()).toMatchObject([{ commands: [["hold", "lead@beta"]] }]);
});
