import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { whyCutOff } from "../messages/cut-off.js";
import type { Host } from "../names/gates.js";
import { openStores } from "../stores/stores.js";
import { addressIn, joinOf, mayFrom } from "./join.js";

function folder() {
  const made = mkdtempSync(join(tmpdir(), "hm-join-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test("without a row and without the variable this host is in no fleet", () => {
  const env = { HIVEMIND_CONFIG_DIR: folder() };
  expect(joinOf(env, openStores(env))).toBeNull();
});

test("the stored join has its secrets, and the variable beats it but not what is allowed", async () => {
  const env = { HIVEMIND_CONFIG_DIR: folder() };
  const stores = openStores(env);
  await stores.fleetJoin.update(() => [
    { what: "host", value: "alpha" },
    { what: "server", value: "tls://10.0.0.1:4222" },
    { what: "server", value: "tls://10.0.0.2:4222" },
    { what: "user", value: "alpha" },
    { what: "fingerprint", value: "ab".repeat(32) },
    { what: "allow", value: "approve", from: "*" },
    { what: "allow", value: "text", from: "beta" as Host },
  ]);
  stores.fleetJoin.keepSecret("password", "geheim\n");
  const found = joinOf(env, stores)!;
  expect(found.host).toBe("alpha");
  expect(found.address).toEqual({
    servers: ["tls://10.0.0.1:4222", "tls://10.0.0.2:4222"],
    user: { name: "alpha", password: "geheim" },
    fingerprint: "ab".repeat(32),
    name: "hivemind alpha",
    inboxPrefix: "_INBOX.alpha",
  });
  const given = joinOf({ ...env, HIVEMIND_FLEET: "nats://u:p@127.0.0.1:1", HIVEMIND_HOST: "x.y" }, stores)!;
  expect(given.host).toBe("x.y");
  expect(given.address).toMatchObject({
    servers: ["nats://127.0.0.1:1"],
    user: { name: "u", password: "p" },
    inboxPrefix: "_INBOX.x=2Ey",
  });
  for (const each of [found, given]) {
    expect(mayFrom(each, "approve", "gamma" as Host)).toBe(true);
    expect(mayFrom(each, "text", "beta" as Host)).toBe(true);
    expect(mayFrom(each, "text", "gamma" as Host)).toBe(false);
    expect(mayFrom(each, "start", "beta" as Host)).toBe(false);
  }
});

test.each([
  ["standing|reader", true],
  ["standing|quiet", false],
  ["standing|member", false],
  ["standing|king", false],
  // An earlier version wrote none.
  ["allow|text|*", false],
])("with the row %s this host only reads: %s", (row, isReader) => {
  const env = { HIVEMIND_CONFIG_DIR: folder() };
  const stores = openStores(env, () => {});
  writeFileSync(stores.fleetJoin.path, `host|eye\nserver|nats://h:1\n${row}\n`);
  expect(joinOf(env, stores)).toMatchObject({ host: "eye", isReader });
  // It types without a lease, and a member does not.
  expect(whyCutOff({ env, stores }) === null).toBe(isReader);
});

test("[FJ1] a password that others can read is refused", async () => {
  const env = { HIVEMIND_CONFIG_DIR: folder() };
  const stores = openStores(env);
  stores.fleetJoin.keepSecret("password", "geheim");
  expect(stores.fleetJoin.secret("password")?.toString()).toBe("geheim");
  chmodSync(stores.fleetJoin.secretPath("password"), 0o644);
  expect(() => stores.fleetJoin.secret("password")).toThrow("others can read it");
});

test("a bad row is reported and allows nothing", () => {
  const env = { HIVEMIND_CONFIG_DIR: folder() };
  const told: string[] = [];
  const stores = openStores(env, ({ why }) => told.push(why));
  const rows = ["host|alpha", "server|nats://h:1", "allow|everything|*", "allow|approve", "server|http://h"];
  writeFileSync(stores.fleetJoin.path, `${rows.join("\n")}\n`);
  expect(joinOf(env, stores)).toMatchObject({ host: "alpha", allows: new Set() });
  expect(told).toHaveLength(3);
});

test.each(["", "http://x", "nats://", "nats://a b", "nats://a,ftp://b"])("%j is no address", (text) => {
  expect(() => addressIn(text)).toThrow("not the address");
});
