import { beforeAll, expect, test, vi } from "vitest";

let login: typeof import("./login.js");

beforeAll(async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem() {}, removeItem() {} });
  login = await import("./login.js");
  vi.unstubAllGlobals();
});

test.each([
  ["#secret=Abc-_9", "Abc-_9"],
  ["#/inbox?secret=Abc", "Abc"],
  ["#/inbox", null],
  ["", null],
  ["#secret=", null],
  ["#secret=a&b", null],
])("the fragment %j has the secret %j", (fragment, secret) => expect(login.secretIn(fragment)).toBe(secret));

test.each([
  ["http://127.0.0.1:7433/#secret=Abc", "Abc"],
  ["  MdzVyv7FpZ5XjJ0tauDf7LrwjfVV-wkdkh9_LVnswBk ", "MdzVyv7FpZ5XjJ0tauDf7LrwjfVV-wkdkh9_LVnswBk"],
  ["http://127.0.0.1:7433/", null],
  ["hello", null],
])("what is pasted as %j has the secret %j", (typed, secret) =>
  expect(login.secretOfLink(typed)).toBe(secret),
);
