import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import type { Launch } from "../launch.js";
import { sessionArguments } from "./arguments.js";
import { launchArguments } from "./launch.js";

const id = "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg" as SessionId;

test.each([
  [[], { began: null, forkedFrom: null, model: null }],
  [["-s", id], { began: id, forkedFrom: null }],
  [["--session", id, "-m", "a/b"], { began: id, model: "a/b" }],
  [[`--session=${id}`, "--fork"], { began: null, forkedFrom: id }],
  [["--continue"], { began: null }],
  [["--prompt", "-s", "/srv"], { began: null }],
  [["-s", "15533422-8bdb-5079-8420-efcdb81dd2e5"], { began: null }],
  [["-s", "ses_../../etc/passwd"], { began: null }],
  [["--", "-s", id], { began: null }],
])("the arguments %j say %j", (args, expected) => {
  expect(sessionArguments(["opencode", ...args])).toMatchObject(expected);
});

test.each(["hello", "-s x", "--session=ses_aaaaaaaaaaaaaaaa", "two\nlines"])(
  "a start reads back its session whatever the prompt says: %j",
  (prompt) => {
    const launch: Launch = { session: { how: "resume", id }, name: null, model: "a/b", prompt };
    const argv = ["opencode", ...launchArguments(launch)];
    expect(sessionArguments(argv)).toMatchObject({ began: id, forkedFrom: null, model: "a/b" });
    expect(argv.join(" ")).not.toContain(prompt);
    expect(argv).toContain("127.0.0.1");
  },
);

test.each([
  [{ permissionMode: "plan" }, /no permission mode/],
  [{ model: "-x" }, /cannot be the value/],
  [{ prompt: " " }, /prompt is empty/],
  [{ prompt: "a\u001b[0m" }, /control characters/],
  [{ prompt: "a".repeat(12_001) }, /limit at a start/],
])("a start with %j is refused", (more, why) => {
  expect(() => launchArguments({ session: { how: "resume", id }, name: null, ...more })).toThrow(why);
});
