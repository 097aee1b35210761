import { expect, test } from "vitest";
import { claimed } from "./project.js";

const file = { project: "shop", folder: "/b", written: "/b", path: "/b/hivemind.yaml" };
const row = (folder: string) => ({ project: "shop", folder });
const another = { project: "other", folder: "/a" };

test("a project of another folder is refused with that folder", () => {
  expect(() => claimed(file, [row("/a")], () => "folder")).toThrow(
    "the project shop belongs to /a, not to /b",
  );
  const rows = [another, row("/b")];
  expect(claimed(file, rows, () => "folder").rows).toBe(rows);
  expect(claimed(file, [another], () => "folder")).toEqual({ rows: [another, row("/b")], gone: null });
});

test("a file with another name is known by its path, and keeps its claim while it exists", () => {
  const mine = { ...file, written: "/b/team.yaml" };
  expect(claimed(mine, [another], () => null).rows).toEqual([another, row("/b/team.yaml")]);
  expect(() => claimed(file, [row("/a/team.yaml")], () => "file")).toThrow(
    expect.objectContaining({
      message: "the project shop belongs to /a/team.yaml, not to /b",
      hint: "give it another name in /b/hivemind.yaml, or use that one: hivemind up --file /a/team.yaml",
    }),
  );
  // One folder is one project, whichever of its files is used.
  expect(claimed(mine, [row("/b"), another], () => "folder")).toEqual({
    rows: [another, row("/b/team.yaml")],
    gone: null,
  });
  expect(claimed(file, [row("/b/team.yaml")], () => "file")).toEqual({ rows: [row("/b")], gone: null });
  expect(() => claimed(file, [row("/b/sub")], () => "folder")).toThrow("belongs to /b/sub, not to /b");
});

test("a folder without a team file has lost its claim", () => {
  expect(claimed(file, [row("/a"), another], () => null)).toEqual({
    rows: [another, row("/b")],
    gone: "/a",
  });
  expect(claimed(file, [row("/b/team.yaml")], () => null)).toMatchObject({ gone: "/b/team.yaml" });
});
