import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "./settings.js";

const stopHook = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });

test("given settings are added to the user's, as JSON or as a file", () => {
  const root = mkdtempSync(join(tmpdir(), "hm-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const own = JSON.stringify({ ...stopHook("own"), statusLine: { type: "command", command: "line" } });
  writeFileSync(join(root, "settings.json"), own);
  const given = JSON.stringify(stopHook("given"));
  writeFileSync(join(root, "given.json"), given);
  for (const form of [given, join(root, "given.json")]) {
    const { hooks, statusLine } = readSettings(root, form);
    expect(hooks.map(({ command }) => command)).toEqual(["own", "given"]);
    expect(statusLine).toBe("line");
  }
  expect(readFileSync(join(root, "settings.json"), "utf8")).toBe(own);
});

test.each([
  ['{"crossSessionInbound":"accept"}', true],
  ['{"crossSessionInbound":"hold"}', false],
])("%s accepts posted messages: %s", (given, acceptsPosted) => {
  expect(readSettings("/nowhere", given)).toMatchObject({ acceptsPosted });
});

test("unknown and empty settings count as none", () => {
  expect(readSettings("/nowhere", '{"hooks":{"Stop":"x","Start":[{"hooks":[{"type":"prompt"}]}]}}')).toEqual({
    hooks: [],
    statusLine: null,
    acceptsPosted: false,
  });
  expect(() => readSettings("/nowhere", "{oops")).toThrow("Invalid JSON");
});
