import { expect, test } from "vitest";
import { claimed } from "./project.js";

const file = { project: "shop", folder: "/b", path: "/b/hivemind.yaml" };
const row = (folder: string) => ({ project: "shop", folder });
const another = { project: "other", folder: "/a" };

test("[UJ1] a project that another folder has is refused, and that folder is named", () => {
  expect(() => claimed(file, [row("/a")], () => true)).toThrow("the project shop belongs to /a, not to /b");
  const rows = [another, row("/b")];
  expect(claimed(file, rows, () => true).rows).toBe(rows);
  expect(claimed(file, [another], () => true)).toEqual({ rows: [another, row("/b")], gone: null });
});

test("[UJ2] a folder without a team file has lost its claim", () => {
  expect(claimed(file, [row("/a"), another], () => false)).toEqual({
    rows: [another, row("/b")],
    gone: "/a",
  });
});
