import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { repairAll } from "../../src/reconcile/apply.js";
import { lookAt } from "../../src/reconcile/look.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

const [first, second, third] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "2d65a42d-0000-4000-8000-00000000000a",
] as const;

describe.sequential("a team of two agents, damaged in every way", () => {
  let home: TestHome;
  let hive: Hive;
  beforeAll(async () => {
    home = makeHome();
    mkdirSync(join(home.claude, "projects"));
    hive = openHive({ env: home.env });
    startAgents(home, "web", ["--session-id", first, "-n", "po"], ["--session-id", second, "-n", "dev"]);
    await idleAgents(home, 2);
    hivemind(home, ["team", "register", "web"]);
    expect(hivemind(home, ["registry", "refresh"]).stdout).toBe("updated=2 broken=0\n");
    hivemind(home, ["teams", "save"]);
    hivemind(home, ["queue", "append", "po", "hello"]);
  }, 60_000);
  afterAll(() => removeHome(home));

  const path = (name: string) => join(home.config, name);
  const edit = (name: string, change: (text: string) => string) =>
    writeFileSync(path(name), change(readFileSync(path(name), "utf8")));
  const voice = { progress: () => {}, note: () => {} };
  const look = () => lookAt(hive.reconcileWorld(voice), null);
  const rows = async () =>
    (await look()).violations.map(({ severity, invariant, store, op, key, expected, actual }) =>
      [severity, invariant, store, op, key, expected ?? "–", actual ?? "–"].join(" "),
    );
  /** Without the files that every repair writes. */
  const stored = (...touched: string[]) =>
    Object.fromEntries(
      Object.entries(contentsOf(home.config)).filter(
        ([name]) => name !== "hivemind.events.log" && !touched.some((each) => name.startsWith(each)),
      ),
    );

  test("nothing is wrong, and the audit wrote nothing", async () => {
    const before = contentsOf(home.config);
    expect(await rows()).toEqual([]);
    expect(hivemind(home, ["consistency", "audit"])).toEqual({
      code: 0,
      stdout: "nothing is wrong\n",
      stderr: "",
    });
    expect(contentsOf(home.config)).toEqual(before);
  });

  interface Damage {
    inject(): void;
    row: string;
    /** The stores that a repair may write, besides the log. */
    touched: string[];
  }
  const roster = ["hivemind.agents.env", "hivemind.views"];
  const damages: Record<string, Damage> = {
    "I1: a role of a pane that is gone (incident 5)": {
      inject: () => appendFileSync(path("hivemind.roles.env"), "web:0.7|old\n"),
      row: "high I1 S1 remove web:0.7 – old",
      touched: ["hivemind.roles.env", ...roster],
    },
    "I2: a session of a pane that is gone": {
      inject: () => appendFileSync(path("hivemind.sessions.env"), `web:0.8|${third}\n`),
      row: `high I2 S2 remove web:0.8 – ${third}`,
      touched: ["hivemind.sessions.env", "hivemind.forks.env", ...roster],
    },
    "I2: another session than the live one": {
      inject: () => edit("hivemind.sessions.env", (text) => text.replace(first, third)),
      row: `high I2 S2 update web:0.0 ${first} ${third}`,
      touched: ["hivemind.sessions.env", "hivemind.forks.env", ...roster],
    },
    "I3: a team that neither runs nor can come back": {
      inject: () => appendFileSync(path("hivemind.teams.env"), "lost|away\n"),
      row: "critical I3 S3 remove lost – neither runs nor can come back",
      touched: ["hivemind.teams.env"],
    },
    "I4: a window of no team": {
      inject: () => writeFileSync(path("tronMonitor.env"), "# windows\n4|lost\n"),
      row: "medium I4 S8 remove lost – window 4",
      touched: ["tronMonitor.env"],
    },
    "I6: an empty queue without an agent": {
      inject: () => writeFileSync(path("hivemind.queue/web_0_6.queue"), ""),
      row: "low I6 S6 remove web:0.6 – empty",
      touched: ["hivemind.queue/web_0_6"],
    },
    "I6: expired messages without an agent": {
      inject: () => writeFileSync(path("hivemind.queue/web_0_6.queue"), "1000|inform|too late\n"),
      row: "low I6 S6 remove web:0.6 – 1 expired",
      touched: ["hivemind.queue/web_0_6", "hivemind.queue/dead", "hivemind.receipts.log"],
    },
    "I8: a role that was lost": {
      inject: () => edit("hivemind.roles.env", (text) => text.replace(/^web:0\.1.*\n/m, "")),
      row: "high I8 S1 add web:0.1 dev –",
      touched: ["hivemind.roles.env", ...roster],
    },
    "I8: the role of another agent": {
      inject: () => edit("hivemind.roles.env", (text) => text.replace("|dev", "|po")),
      row: "high I8 S1 update web:0.1 dev po",
      touched: ["hivemind.roles.env", ...roster],
    },
    "I10: a session that was lost": {
      inject: () => edit("hivemind.sessions.env", (text) => text.replace(/^web:0\.1.*\n/m, "")),
      row: `high I10 S2 add web:0.1 ${second} –`,
      touched: ["hivemind.sessions.env", ...roster],
    },
  };
  for (const [title, { inject, row, touched }] of Object.entries(damages)) {
    test(`[RA5] ${title}: found, repaired, and the rest untouched`, async () => {
      const before = stored(...touched);
      inject();
      expect(await rows()).toEqual([row]);
      const { repaired, after } = await repairAll(hive.reconcileWorld(voice), await look(), {
        only: null,
        dropsBroken: true,
      });
      expect(repaired).toHaveLength(1);
      expect(after.violations).toEqual([]);
      expect(stored(...touched)).toEqual(before);
      const clean = contentsOf(home.config);
      expect(hivemind(home, ["consistency", "fix", "--yes"])).toMatchObject({ code: 0 });
      expect(contentsOf(home.config)).toEqual(clean);
    });
  }

  test("expired messages without an agent are in dead/, with a receipt; a comment stayed", () => {
    const files = contentsOf(home.config);
    const dead = Object.keys(files).filter((name) => name.startsWith("hivemind.queue/dead/web_0_6"));
    expect(dead.map((name) => files[name])).toEqual(["1000|inform|too late\n"]);
    expect(files["hivemind.receipts.log"]).toContain("|web:0.6@1000|web:0.6|expired|");
    expect(files["tronMonitor.env"]).toBe("# windows\n");
  });

  test("I5, I6, I9: violations that only a person can repair are reported and left", async () => {
    home.tmux("select-pane", "-t", "=web:0.1", "-T", "✳ something else");
    const snapshot = `# version: 1\nweb|0.0|po|${third}|po|/|m|demo\n`;
    writeFileSync(path("hivemind.snapshot.20990101T000000.env"), snapshot);
    writeFileSync(path("hivemind.queue/web_0_6.queue"), "9999999999|inform|for whom\n");
    const expected = [
      `medium I5 S4 report web:0.0 ${third} no transcript`,
      "medium I9 L1 report web:0.1 dev ✳ something else",
      "low I6 S6 report web:0.6 – 1 waiting",
    ];
    expect(await rows()).toEqual(expected);
    const before = contentsOf(home.config);
    const { code, stdout } = hivemind(home, ["consistency", "fix", "--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain("hivemind save");
    expect(stdout).toContain("3 wrong: 2 medium, 1 low\n");
    expect(contentsOf(home.config)).toEqual(before);
    expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
    expect(await rows()).toEqual(expected);
  });

  test("an audit with many violations has exit code 1, and its JSON has the documented form (incident 67)", () => {
    const many = Array.from({ length: 300 }, (_, at) => `web:7.${at}|gone${at}\n`).join("");
    appendFileSync(path("hivemind.roles.env"), many);
    const { code, stdout } = hivemind(home, ["consistency.audit", "web", "--json"]);
    expect(code).toBe(1);
    const { version, summary, violations, ...more } = JSON.parse(stdout);
    expect({ version, summary, more }).toEqual({
      version: 1,
      summary: { total: 303, critical: 0, high: 300, medium: 2, low: 1 },
      more: { broken: [] },
    });
    expect(violations[0]).toEqual({
      severity: "high",
      invariant: "I1",
      store: "S1",
      op: "remove",
      key: "web:7.0",
      expected: null,
      actual: "gone0",
    });
    const { repaired } = JSON.parse(hivemind(home, ["consistency", "fix", "web", "--yes", "--json"]).stdout);
    expect(repaired).toHaveLength(300);
  });

  test("I10: a session in two panes is reported, and no pane loses it", async () => {
    home.tmux("send-keys", "-t", "=web:0.0", "-l", "hello");
    home.tmux("send-keys", "-t", "=web:0.0", "Enter");
    await until("a transcript", () => hivemind(home, ["session", "state", "web:0.0"]).stdout === "live\n");
    startAgents(home, "other", ["--resume", first, "-n", "twin"]);
    await idleAgents(home, 3);
    hivemind(home, ["team", "register", "other"]);
    const before = contentsOf(home.config);
    expect((await rows()).filter((row) => row.includes("I10"))).toEqual([
      `high I10 S2 report ${first} one pane other:0.0, web:0.0`,
    ]);
    expect(hivemind(home, ["consistency", "fix", "web", "--yes"]).code).toBe(1);
    expect(contentsOf(home.config)).toEqual(before);
    home.tmux("kill-session", "-t", "=other");
    hivemind(home, ["team", "remove", "other", "--yes"]);
  });

  test("moved panes are followed, and an unnamed agent is reported with a command", async () => {
    startAgents(home, "spare", ["--session-id", third]);
    await idleAgents(home, 3);
    home.tmux("join-pane", "-d", "-s", "=spare:0.0", "-t", "=web:0.1");
    home.tmux("swap-pane", "-d", "-s", "=web:0.0", "-t", "=web:0.2");
    const { code, stdout, stderr } = hivemind(home, ["consistency", "audit"]);
    expect({ code, rows: stdout.match(/I\d+ +\S+ +\S+/g) }).toMatchObject({ code: 1 });
    expect(stdout).not.toMatch(/I(1|2|8|10) /);
    expect(stderr).toMatch(/unnamed: web:0\.0 .*\n {2}.* agent adopt web:0\.0 --role ROLE/);
    const repair = (...words: string[]) =>
      JSON.parse(hivemind(home, ["consistency", ...words, "--json"]).stdout).moved;
    expect(repair("reconcile", "--apply").map(({ name }: { name: string }) => name)).toEqual(["pane.moved"]);
    expect(contentsOf(home.config)["hivemind.sessions.env"]).toContain(`web:0.2|${first}`);
    expect(readFileSync(path("hivemind.queue/web_0_2.queue"), "utf8")).toContain("hello");
    expect(repair("fix", "--yes")).toEqual([]);
  });
});
