import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { ownIdentity } from "../base/process-identity.js";
import { limits } from "../limits.js";
import { openHookReports } from "./hook-reports.js";

function open(files: Record<string, string>) {
  const folder = join(testHome().config, "hivemind.hooks");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return openHookReports(folder);
}

const about = '{"event":"Stop","pid":12,"tmux":"/tmp/s,4,0","pane":"%5"}\n';

describe("hook reports", () => {
  test("are none where no hook has run", () => {
    const reports = openHookReports(join(testHome().config, "none"));
    expect(reports.read()).toEqual({ reports: [], problems: [] });
    expect(reports.handlerState({ name: "h.sh", text: "" })).toBe("missing");
  });

  test("[HR1] are read whole, and what is none is named", () => {
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
    "[HR3] %j below the handler's line is nothing the client said",
    (said) => {
      const [report] = open({ "1.json": about + said }).read().reports;
      expect(report).toMatchObject({ event: "Stop", pid: 12, pane: "%5", input: null });
    },
  );

  test("[HR2] are swept by name with what is old and useless, and nothing else is", () => {
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

  test("[HR4] from a time that has not come are not read, and swept", () => {
    const reports = open({ "1.json": about, "2.json": about });
    const later = new Date(Date.now() + 3_600_000);
    utimesSync(join(reports.folder, "1.json"), later, later);
    expect(reports.read()).toMatchObject({
      reports: [{ name: "2.json" }],
      problems: [{ path: join(reports.folder, "1.json"), why: expect.stringContaining("has not come") }],
    });
    reports.sweep([]);
    expect(readdirSync(reports.folder)).toEqual(["2.json"]);
  });

  test("[HR4] are read whatever the file's time, where the machine's uptime tells their age", () => {
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

  test("[HR5] an old folder, or one that cannot be emptied, is a problem and no failure", () => {
    const told: string[] = [];
    const { folder } = open({ "1.json": about });
    const reports = openHookReports(folder, ({ why }) => void told.push(why));
    mkdirSync(join(folder, "x.json"));
    utimesSync(join(folder, "x.json"), 0, 0);
    reports.sweep([]);
    expect(told).toEqual([]);
    reports.sweep(["1.json", "x.json"]);
    expect(told).toEqual([expect.stringContaining("cannot be swept")]);
    expect(readdirSync(folder)).toEqual(["x.json"]);
  });

  test("have a handler beside them, private and written when it is another", () => {
    const reports = openHookReports(join(testHome().config, "hivemind.hooks"));
    const handler = { name: "handler.sh", text: "one\n" };
    expect(reports.placeHandler(handler)).toBe(true);
    expect(reports.placeHandler(handler)).toBe(false);
    expect(reports.handlerState(handler)).toBe("current");
    expect(reports.handlerState({ ...handler, text: "two\n" })).toBe("outdated");
    expect(statSync(join(reports.folder, "handler.sh")).mode & 0o777).toBe(0o600);
    expect(statSync(reports.folder).mode & 0o777).toBe(0o700);
  });
});
