import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { TeamName } from "../../names/gates.js";
import { openStores } from "../stores.js";
import { rowWriter } from "./row-writer.js";

const a = "a" as TeamName;

function open() {
  const folder = mkdtempSync(join(tmpdir(), "hm-rows-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, `hivemind.${name}.env`);
  return { rows: rowWriter(openStores({ HIVEMIND_CONFIG_DIR: folder })), file };
}

test("a team without a new description keeps the one it has", async () => {
  const { rows, file } = open();
  await rows.setTeam(a, "first");
  await rows.setTeam(a, "");
  expect(readFileSync(file("teams"), "utf8")).toBe("a|first\n");
});

test("other teams keep their rows, also those with similar names (incident 7)", async () => {
  const { rows, file } = open();
  const others = "a_b|x\nab|y\n# a comment\nnot a row\n";
  writeFileSync(file("teams"), `a|z\n${others}`);
  await rows.removeTeam(a);
  expect(readFileSync(file("teams"), "utf8")).toBe(others);
  await rows.renameTeam(a, "z" as TeamName);
  expect(readFileSync(file("teams"), "utf8")).toBe(others);
});

test("renaming to a name that has a row leaves one row of that name", async () => {
  const { rows, file } = open();
  writeFileSync(file("teams"), "a|old\nb|stale\n");
  await rows.renameTeam(a, "b" as TeamName);
  expect(readFileSync(file("teams"), "utf8")).toBe("b|old\n");
});
