import { expect, test } from "vitest";
import { fingerprint } from "./fingerprint.js";

test.each([
  ["", "cbf29ce484222325"],
  ["/", "af63a24c860189fe"],
  ["/tmp", "7f7de39c4bcebddb"],
  ["/tmp/worktree-alpha", "ae5cd9e2efd7ae18"],
  ["/tmp/worktree-beta", "6c3bdf13ad3a2ef6"],
  ["/home/user/project", "f8a71a04e8340307"],
  ["/home/user/project/", "b7f45e5690615cf8"],
  ["/home/user/My Project", "cf4dcddd5c9f374d"],
  ["/home/user/プロジェクト", "ba655c4c3d866349"],
  ["/tmp/ws-25500", "008ade8ca84bef1b"],
  ["/private/tmp/claw-d4", "90ce0307fff7fef2"],
])("the fingerprint of %j is %s", (path, expected) => {
  expect(fingerprint(path)).toBe(expected);
});
