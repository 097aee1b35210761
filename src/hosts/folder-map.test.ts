import { expect, test } from "vitest";
import { mapped, parseMaps } from "./folder-map.js";

test.each([
  [["/a=/b"], "/a", "/b"],
  [["/a=/b"], "/a/c", "/b/c"],
  [["/a=/b"], "/ab", "/ab"],
  [["/a/=/b/"], "/a/c", "/b/c"],
  [["/a=/b", "/a/c=/d"], "/a/c/e", "/d/e"],
  [["/a/c=/d", "/a=/b"], "/a/c", "/d"],
  [["/a=/b", "/b=/c"], "/a", "/b"],
  [["/=/mnt"], "/a", "/mnt/a"],
  [["/a=/"], "/a", "/"],
  [["/a=/x=y"], "/a", "/x=y"],
  [[], "/a", "/a"],
  [["/a=/b"], "", ""],
])("with %j, %s is %s", (maps, folder, wanted) => expect(mapped(folder, parseMaps(maps))).toBe(wanted));

test.each(["", "a=/b", "/a=b", "/a", "=/b", "/a=", "/a\n=/b", "/a|=/b"])("%j is refused", (text) =>
  expect(() => parseMaps([text])).toThrow("--map must be FROM=TO"),
);
