import { expect, test } from "vitest";
import { clientFor } from "./client-for.js";

const own = { HOME: "/h", CLAUDE_CONFIG_DIR: "/own/" };

test.each<[string, NodeJS.ProcessEnv, string]>([
  ["/h/.claude", { HOME: "/h" }, "claude"],
  ["/own", own, "claude"],
  ["/h/.claude", own, "env -u CLAUDE_CONFIG_DIR claude"],
  ["/an other", own, "CLAUDE_CONFIG_DIR='/an other' claude"],
  ["/other", {}, "CLAUDE_CONFIG_DIR=/other claude"],
])("a conversation in %s is continued, with %j, by %s", (folder, env, expected) => {
  expect(clientFor(`${folder}/projects/-srv-a/x.jsonl`, env)).toBe(expected);
});
