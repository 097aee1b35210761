import { expect, test } from "vitest";
import { codexHome } from "./home.js";

test.each<[NodeJS.ProcessEnv, string | null]>([
  [{ CODEX_HOME: "/c", HOME: "/h" }, "/c"],
  [{ CODEX_HOME: "", HOME: "/h" }, "/h/.codex"],
  [{}, null],
])("%j: %s", (env, folder) => expect(codexHome(env)).toBe(folder));
