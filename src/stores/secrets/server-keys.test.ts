import { chmodSync, lstatSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import type { SessionId } from "../../names/gates.js";
import { openKeys } from "./server-keys.js";

const session = "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg" as SessionId;

test("[KEY2] a password is private, new at each start, and read only while it is private", () => {
  const folder = join(testHome().config, "hivemind.keys");
  const keys = openKeys(folder);
  expect(keys.read(session)).toBeNull();
  const path = keys.renew(session);
  expect([lstatSync(path).mode & 0o777, lstatSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  const first = keys.read(session)!;
  expect(first).toMatch(/^[0-9a-f]{48}$/);
  keys.renew(session);
  expect(keys.read(session)).not.toBe(first);
  expect(readdirSync(folder)).toEqual([session]);
  chmodSync(path, 0o640);
  expect(keys.read(session)).toBeNull();
  chmodSync(path, 0o600);
  renameSync(path, `${path}.other`);
  symlinkSync(`${path}.other`, path);
  expect(keys.read(session)).toBeNull();
});

test.each(["../x", "ses_", "SES_7c2f0a1b3ffeQ9ZxYw0aBcDeFg", "ses_7c2f0a1b3ffe\nx", `ses_${"a".repeat(41)}`])(
  "%j names no file",
  (hostile) => {
    const keys = openKeys(join(testHome().config, "hivemind.keys"));
    expect(() => keys.renew(hostile as SessionId)).toThrow(/refused/);
    expect(() => keys.read(hostile as SessionId)).toThrow(/refused/);
  },
);
