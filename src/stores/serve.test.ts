import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { identityText, ownIdentity } from "../base/system/process-identity.js";
import { limits } from "../limits.js";
import { openServe } from "./serve.js";

const open = () => openServe(join(testHome().config, "hivemind.serve"));
const linkIn = (store: ReturnType<typeof open>) => join(store.linkFolder, readdirSync(store.linkFolder)[0]!);

test("[SV1] a link opens a server once, in whatever process", () => {
  const store = open();
  const secret = store.newLink();
  const other = openServe(store.folder);
  expect([other.takeLink(secret), store.takeLink(secret), other.takeLink(secret)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("nothing on the disk holds a secret, and everything is private", () => {
  const store = open();
  const secret = store.newLink();
  const path = linkIn(store);
  expect(path).not.toContain(secret);
  expect(readFileSync(path, "utf8")).toBe("");
  expect([
    statSync(path).mode & 0o777,
    statSync(store.linkFolder).mode & 0o777,
    statSync(store.folder).mode & 0o777,
  ]).toEqual([0o600, 0o700, 0o700]);
});

test.each<[string, (ageMs: number) => number, boolean]>([
  ["just before its time is over", (most) => most - 5_000, true],
  ["when its time is over", (most) => most, false],
  ["from the future", () => -3_600_000, false],
])("[SV2] a link %s", (_, ageMs, counts) => {
  const store = open();
  const secret = store.newLink();
  const madeAt = new Date(Date.now() - ageMs(limits.linkMs));
  utimesSync(linkIn(store), madeAt, madeAt);
  expect(store.takeLink(secret)).toBe(counts);
});

test("[SV2] old links are swept, and there are never many", () => {
  const store = open();
  store.newLink();
  const old = new Date(Date.now() - 2 * limits.linkMs);
  utimesSync(linkIn(store), old, old);
  mkdirSync(join(store.linkFolder, "folder"));
  for (let count = 0; count < limits.openLinks; count++) store.newLink();
  expect(readdirSync(store.linkFolder).filter((name) => name !== "folder")).toHaveLength(limits.openLinks);
  expect(() => store.newLink()).toThrow(/links wait to be opened/);
});

test.each<[string, (store: ReturnType<typeof open>, path: string) => void, RegExp | false]>([
  ["a link to a file", (_, path) => symlinkSync("/etc/hostname", path), false],
  ["a file that others can read", (_, path) => writeFileSync(path, "", { mode: 0o644 }), false],
  ["a folder", (_, path) => mkdirSync(path), false],
  [
    "a file in a folder that others can look into",
    (store, path) => {
      writeFileSync(path, "", { mode: 0o600 });
      chmodSync(store.linkFolder, 0o755);
    },
    /others can look into it/,
  ],
])("[SV2] %s is no link", (_, plant, refused) => {
  const store = open();
  const secret = store.newLink();
  const path = linkIn(store);
  store.takeLink(secret);
  plant(store, path);
  if (refused === false) expect(store.takeLink(secret)).toBe(false);
  else expect(() => store.takeLink(secret)).toThrow(refused);
});

test("[SV2] a folder of links that is a symbolic link is refused, for making and taking", () => {
  const store = open();
  const secret = store.newLink();
  const elsewhere = openServe(join(dirname(store.folder), "elsewhere"));
  mkdirSync(dirname(elsewhere.folder), { recursive: true });
  symlinkSync(store.folder, elsewhere.folder);
  expect(() => elsewhere.takeLink(secret)).toThrow(/symbolic link/);
  expect(() => elsewhere.newLink()).toThrow(/symbolic link/);
  expect(() => elsewhere.announce("http://127.0.0.1:1/")).toThrow(/symbolic link/);
  expect(store.takeLink(secret)).toBe(true);
});

test.each(["", "../../etc/passwd", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}/`])(
  "%j is no secret, and touches no file",
  (secret) => expect(open().takeLink(secret)).toBe(false),
);

test("[SV3] the running server is named until it withdraws; a dead or strange one is not", () => {
  const store = open();
  const path = join(store.folder, "server");
  expect(store.running()).toBeNull();
  store.announce("http://127.0.0.1:7433/");
  expect(store.running()).toEqual({ url: "http://127.0.0.1:7433/", pid: process.pid });
  const dead = identityText({ ...ownIdentity(), start: "1" });
  writeFileSync(path, `http://127.0.0.1:1/\n${dead}\n`);
  expect(store.running()).toBeNull();
  store.withdraw();
  expect(readdirSync(store.folder)).toContain("server");
  writeFileSync(path, `javascript:alert(1)\n${identityText(ownIdentity())}\n`);
  expect(store.running()).toBeNull();
  store.announce("http://127.0.0.1:7433/");
  store.withdraw();
  expect(readdirSync(store.folder)).toEqual(["links"]);
});
