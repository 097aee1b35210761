import { expect, test } from "vitest";
import { cacheFolder } from "./cache-folder.js";

test.each<[NodeJS.ProcessEnv, string]>([
  [{ XDG_CACHE_HOME: "/c", HOME: "/h" }, "/c/hivemind"],
  [{ HOME: "/h" }, "/h/.cache/hivemind"],
  [{ XDG_CACHE_HOME: "", HOME: "/h" }, "/h/.cache/hivemind"],
  [{ XDG_CACHE_HOME: "rel", HOME: "/h" }, "/h/.cache/hivemind"],
  [{ XDG_CACHE_HOME: "./rel" }, "/stores/cache"],
  [{}, "/stores/cache"],
])("with %j the cache is in %s", (env, folder) => {
  expect(cacheFolder(env, () => "/stores")).toBe(folder);
});
