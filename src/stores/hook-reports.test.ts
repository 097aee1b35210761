import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { openHookReports } from "./hook-reports.js";

function open(files: Record<string, string>) {
  const folder = join(testHome().config, "hivemind.hooks");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return openHookReports(folder);
}

describe("hook reports", () => {
  test("are none where no hook has run", () =>
    expect(openHookReports(join(testHome().config, "none")).read()).toEqual({ reports: [], problems: [] }));

  test("[HR1] are read whole and in order, and what is none is named", () => {
    const reports = open({
      "2-a.json": '{"session_id":"b"}',
      "1-a.json": '{"session_id":"a"}',
      ".3-a.json": '{"half',
      "4-a.json": '{"half',
      "5-a.json": "[1]",
      "6.txt": "{}",
    });
    symlinkSync("1-a.json", join(reports.folder, "7-a.json"));
    const read = reports.read();
    expect(read.reports).toEqual([
      { name: "1-a.json", body: { session_id: "a" } },
      { name: "2-a.json", body: { session_id: "b" } },
    ]);
    expect(read.problems.map(({ why }) => why)).toEqual([
      "not JSON",
      "not a JSON object",
      expect.stringContaining("symbolic link"),
    ]);
  });

  test("[HR2] are swept by name, and nothing else is", () => {
    const reports = open({ "1-a.json": "{}", "2-a.json": "{}", other: "x" });
    writeFileSync(join(reports.folder, "..", "x.json"), "{}");
    reports.sweep(["1-a.json", "1-a.json", "other", "../x.json", "..", ""]);
    expect(readdirSync(reports.folder).sort()).toEqual(["2-a.json", "other"]);
    expect(readdirSync(join(reports.folder, ".."))).toContain("x.json");
  });
});
