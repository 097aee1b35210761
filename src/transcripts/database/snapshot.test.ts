import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { databaseStamp, readSnapshot } from "./snapshot.js";
import { sqlite } from "./sqlite.js";

test("rows that are only in the write-ahead log are read, and the database stays as it was", () => {
  const { root } = testHome();
  const path = join(root, "live.db");
  // As a client that runs: it has not moved its log into the database.
  const live = new (sqlite().Database)(path);
  live.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
  live.exec("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES (7)");
  try {
    const before = databaseStamp(path);
    const place = join(root, "place");
    expect(readSnapshot(path, place, (database) => database.all("SELECT a FROM t"))).toEqual([{ a: 7 }]);
    expect(databaseStamp(path)).toEqual(before);
    expect(readdirSync(place)).toEqual([]);
    // A process that was killed long ago left its copy; another one still reads its own.
    for (const name of ["old", "new"]) mkdirSync(join(place, `.copy-${name}`));
    utimesSync(join(place, ".copy-old"), 1, 1);
    live.exec("INSERT INTO t VALUES (8)");
    expect(readSnapshot(path, place, (database) => database.all("SELECT a FROM t"))).toHaveLength(2);
    expect(readdirSync(place)).toEqual([".copy-new"]);
    expect(databaseStamp(path)).not.toEqual(before);
  } finally {
    live.close();
  }
});
