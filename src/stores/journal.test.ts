import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { journalOf } from "./journal.js";

function folderWith(files: Record<string, string>): string {
  const folder = join(testHome().config, "q");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const written = JSON.stringify([
  ["a_0_0.queue", base64("new a")],
  ["b_0_0.queue", null],
]);

describe("a change of several files", () => {
  test.each<[string, Record<string, string>]>([
    ["before the first file", { "a_0_0.queue": "old a", "b_0_0.queue": "old b" }],
    ["between two files", { "a_0_0.queue": "new a", "b_0_0.queue": "old b" }],
    ["after the last file", { "a_0_0.queue": "new a" }],
  ])("[QJ1] that was cut off %s is finished", (_, files) => {
    const folder = folderWith({ ...files, ".commit": written });
    journalOf(folder).finish();
    expect(readdirSync(folder)).toEqual(["a_0_0.queue"]);
    expect(readFileSync(join(folder, "a_0_0.queue"), "utf8")).toBe("new a");
  });

  test("[QJ1] leaves nothing behind when it went well", () => {
    const folder = folderWith({ "b_0_0.queue": "old b" });
    journalOf(folder).commit(
      new Map([
        ["dead/b_0_0-1.queue", Buffer.from("old b")],
        ["b_0_0.queue", null],
      ]),
    );
    expect(readdirSync(folder, { recursive: true })).toEqual(["dead", "dead/b_0_0-1.queue"]);
  });

  test("[QJ2] that is not finished is what readers see", () => {
    const journal = journalOf(
      folderWith({ "a_0_0.queue": "old a", "b_0_0.queue": "old b", ".commit": written }),
    );
    expect(journal.read("a_0_0.queue")?.toString()).toBe("new a");
    expect(journal.read("b_0_0.queue")).toBeNull();
    expect(journal.read("c_0_0.queue")).toBeNull();
  });

  test.each([
    ...["{", "[]]", "7", "null", "[null]"],
    ...[
      ["../x", ""],
      ["dead/../../x.queue", ""],
      [["a_0_0.queue"], "eA=="],
      ["a_0_0.queue", ["eA=="]],
    ].map((entry) => JSON.stringify([["b_0_0.queue", null], entry])),
    JSON.stringify([["a_0_0.queue"]]),
  ])("[QJ3] is refused when it is not one: %s", (text) => {
    const folder = folderWith({ "b_0_0.queue": "b", ".commit": text });
    const refused = expect.objectContaining({ reason: "corrupt", path: join(folder, ".commit") });
    expect(() => journalOf(folder).finish()).toThrow(refused);
    expect(() => journalOf(folder).read("a_0_0.queue")).toThrow(refused);
    expect(readdirSync(folder)).toEqual([".commit", "b_0_0.queue"]);
  });

  test("[QJ3] that is a folder is refused by its own name", () => {
    const folder = folderWith({});
    mkdirSync(join(folder, ".commit"));
    const refused = expect.objectContaining({ reason: "unreadable", path: join(folder, ".commit") });
    expect(() => journalOf(folder).read("a_0_0.queue")).toThrow(refused);
  });
});
