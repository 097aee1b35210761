import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { ownIdentity } from "../../base/system/process-identity.js";
import { limits } from "../../limits.js";
import { openHookReports } from "./hook-reports.js";

function open(files: Record<string, string>) {
  const folder = join(testHome().config, "hivemind.hooks");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return openHookReports(folder);
}

const about = '{"event":"Stop","pid":12,"tmux":"/tmp/s,4,0","pane":"%5"}\n';

describe("hook reports", () => {
  test("are empty if no hook has run", () => {
    const reports = openHookReports(join(testHome().config, "none"));
    expect(reports.read()).toEqual({ reports: [], problems: [] });
    expect(reports.handlerState([{ name: "h.sh", text: "" }])).toBe("missing");
  });

  test("are read whole, and invalid ones are reported", () => {
    const reports = open({
      "12-Stop.json": `${about}{"session_id":"a"}`,
      "13-Stop.json": '{"event":"Stop","pid":13,"tmux":"","pane":"x"}\n{}',
      ".14-1.tmp": '{"half',
      "14-Stop.json": '{"half',
      "15-Stop.json": "[1]",
      "16-Stop.json": '{"event":"Stop"}\n',
      "6.txt": "{}",
      "handler.sh": "",
    });
    symlinkSync("12-Stop.json", join(reports.folder, "17-Stop.json"));
    const read = reports.read();
    const atMs = (name: string) => statSync(join(reports.folder, name)).mtimeMs;
    expect(read.reports).toEqual([
      {
        name: "12-Stop.json",
        atMs: atMs("12-Stop.json"),
        clockAtMs: atMs("12-Stop.json"),
        event: "Stop",
        pid: 12,
        namespace: null,
        tmux: "/tmp/s,4,0",
        pane: "%5",
        input: { session_id: "a" },
      },
      {
        name: "13-Stop.json",
        atMs: atMs("13-Stop.json"),
        clockAtMs: atMs("13-Stop.json"),
        event: "Stop",
        pid: 13,
        namespace: null,
        tmux: null,
        pane: null,
        input: {},
      },
    ]);
    expect(read.problems.map(({ why }) => why)).toEqual([
      "not a hook's report",
      "not a hook's report",
      "not a hook's report",
      expect.stringContaining("symbolic link"),
    ]);
  });

  test.each(["", "\n", '{"a":', "[]", '{"a":1}\n{"b":2}', "\0", '{"event":"Forged","pid":1'])(
    "%j below the handler's line counts as no input",
    (said) => {
      const [report] = open({ "1.json": about + said }).read().reports;
      expect(report).toMatchObject({ event: "Stop", pid: 12, pane: "%5", input: null });
    },
  );

  test("are swept by name together with old useless files, and nothing else is", () => {
    const files = ["1.json", "2.json", "other", ".1-1.tmp", ".1-2.tmp", "bad.json", "bad-old.json", ".old"];
    const reports = open(
      Object.fromEntries(files.map((name) => [name, name.startsWith("bad") ? "x" : about])),
    );
    const longAgo = new Date(Date.now() - limits.hookReportAgeMs - 1000);
    for (const name of ["2.json", "other", ".1-1.tmp", "bad-old.json", ".old"]) {
      utimesSync(join(reports.folder, name), longAgo, longAgo);
    }
    writeFileSync(join(reports.folder, "..", "x.json"), "{}");
    reports.sweep(["1.json", "1.json", "other", "../x.json", "..", ""]);
    expect(readdirSync(reports.folder).sort()).toEqual([".1-2.tmp", ".old", "2.json", "bad.json", "other"]);
    expect(readdirSync(join(reports.folder, ".."))).toContain("x.json");
  });

  test("with a future time are not read, and are swept", () => {
    const reports = open({ "1.json": about, "2.json": about });
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(reports.folder, "1.json"), later, later);
    expect(reports.read()).toMatchObject({
      reports: [{ name: "2.json" }],
      problems: [{ path: join(reports.folder, "1.json"), why: expect.stringContaining("is in the future") }],
    });
    reports.sweep([]);
    expect(readdirSync(reports.folder)).toEqual(["2.json"]);
  });

  test("are read whatever the file's time, if the machine's uptime gives their age", () => {
    const { boot } = ownIdentity();
    const noted = about.replace("}", `,"boot":"${boot}","up":"${uptime()}"}`);
    const reports = open({ "1.json": noted, "2.json": noted });
    const moved = { "1.json": Date.now() + 3_600_000, "2.json": Date.now() - 3_600_000 };
    for (const [name, ms] of Object.entries(moved))
      utimesSync(join(reports.folder, name), new Date(ms), new Date(ms));
    const read = reports.read();
    expect(read.problems).toEqual([]);
    expect(read.reports.map(({ clockAtMs }) => Math.round(clockAtMs))).toEqual(Object.values(moved));
    for (const { atMs } of read.reports) expect(Math.abs(atMs - Date.now())).toBeLessThan(60_000);
  });

  test("an old folder, or one that cannot be emptied, is a problem but not a failure", () => {
    const told: string[] = [];
    const { folder } = open({ "1.json": about });
    const reports = openHookReports(folder, ({ why }) => void told.push(why));
    mkdirSync(join(folder, "x.json"));
    utimesSync(join(folder, "x.json"), 0, 0);
    reports.sweep([]);
    expect(told).toEqual([]);
    reports.sweep(["1.json", "x.json"]);
    expect(told).toEqual([expect.stringContaining("cannot delete it")]);
    expect(readdirSync(folder)).toEqual(["x.json"]);
  });

  test("have a private handler beside them, rewritten if it differs", () => {
    const reports = openHookReports(join(testHome().config, "hivemind.hooks"));
    const handler = { name: "handler.sh", text: "one\n" };
    expect(reports.placeHandlers([handler])).toBe(true);
    expect(reports.placeHandlers([handler])).toBe(false);
    expect(reports.handlerState([handler])).toBe("current");
    expect(reports.handlerState([{ ...handler, text: "two\n" }])).toBe("outdated");
    expect(statSync(join(reports.folder, "handler.sh")).mode & 0o777).toBe(0o600);
    expect(statSync(reports.folder).mode & 0o777).toBe(0o700);
  });
});
