import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { testHome } from "../../../test/home.js";
import { identityText, ownIdentity, type ProcessIdentity } from "../system/process-identity.js";
import { acquireLock, LockedError, withLock } from "./lock.js";

/** The lock of another process (default: a dead one). */
function plant(path: string, change: Partial<ProcessIdentity> = { start: "1" }, nonce = "abcdef"): string {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(`${identityText({ ...ownIdentity(), ...change })},${nonce}`, path);
  return path;
}

const place = () => join(testHome().config, "x.lock");

describe("a lock", () => {
  test("[LK1] is held by one of many contenders of one process at a time", async () => {
    const path = place();
    let holders = 0;
    let most = 0;
    const work = () =>
      withLock(path, async () => {
        most = Math.max(most, ++holders);
        await new Promise((resolve) => setImmediate(resolve));
        holders--;
      });
    await Promise.all(Array.from({ length: 20 }, work));
    expect(most).toBe(1);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("is released when the work throws", async () => {
    const path = place();
    await expect(withLock(path, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(existsSync(path)).toBe(false);
  });

  test.each<[string, Partial<ProcessIdentity>]>([
    ["that lives", {}],
    ["of another pid namespace", { namespace: "pid:[1]", pid: 2 ** 22 + 1 }],
    ["of another host", { boot: "its own", host: "other" }],
  ])("[LK2] of a holder %s is waited for, and never taken", async (_, change) => {
    const path = plant(place(), change);
    const before = readlinkSync(path);
    await expect(acquireLock(path, { waitMs: 30 })).rejects.toThrow(LockedError);
    expect(readlinkSync(path)).toBe(before);
    expect(readdirSync(dirname(path))).toEqual(["x.lock"]);
  });

  test("[LK3] of a dead holder is taken over, after cleaning up", async () => {
    const path = plant(place());
    const seen: string[] = [];
    const lock = await acquireLock(path, { waitMs: 0, afterDeath: () => seen.push(readlinkSync(path)) });
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatch(/,abcdef$/);
    lock.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("[LK3] of a dead holder is taken over even if earlier contenders died trying", async () => {
    const path = plant(place());
    plant(`${path}.~abcdef`, { boot: "earlier" }, "aaaa");
    plant(`${path}.~abcdef.~aaaa`, { pid: 2 ** 22 + 1 }, "bbbb");
    plant(`${path}.~cccc`, {}, "dddd");
    (await acquireLock(path, { waitMs: 0 })).release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("[LK3] of a dead holder stays while another living contender is taking it over", async () => {
    const path = plant(place());
    plant(`${path}.~abcdef`, {}, "aaaa");
    await expect(acquireLock(path, { waitMs: 20 })).rejects.toThrow(LockedError);
    expect(readlinkSync(path)).toMatch(/,abcdef$/);
  });

  test("[LK4] is left alone by a late release", async () => {
    const path = place();
    const first = await acquireLock(path);
    first.release();
    const second = await acquireLock(path);
    first.release();
    expect(existsSync(dirname(path)) && readlinkSync(path)).toBeTruthy();
    second.release();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("[LK5] that is held too long is an error that names the holder and says what to do", async () => {
    const path = plant(place(), {});
    const error = await acquireLock(path, { waitMs: 10 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LockedError);
    expect(error).toMatchObject({ message: expect.stringContaining(`process ${process.pid}`), path });
    expect((error as LockedError).hint).toContain(`rm ${path}`);
  });

  test("[LK5] is waited for no longer when the clock is set back", async () => {
    const path = plant(place(), {});
    const dayBefore = Date.now() - 24 * 60 * 60 * 1000;
    const clock = vi.spyOn(Date, "now");
    const waiting = acquireLock(path, { waitMs: 50 });
    clock.mockReturnValue(dayBefore);
    await expect(waiting).rejects.toThrow(LockedError);
    clock.mockRestore();
  });

  test("[LK5] with something else in its place is an error too", async () => {
    const path = place();
    mkdirSync(dirname(path));
    writeFileSync(path, "mine");
    await expect(acquireLock(path, { waitMs: 10 })).rejects.toThrow(path);
  });
});
