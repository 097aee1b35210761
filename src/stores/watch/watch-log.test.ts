import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limits } from "../../limits.js";
import { openWatchLog } from "./watch-log.js";

function logIn(): { path: string; log: ReturnType<typeof openWatchLog> } {
  const folder = mkdtempSync(join(tmpdir(), "hm-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "config", "hivemind.watch.log");
  return { path, log: openWatchLog(path) };
}

test("the log is its owner's alone, and only grows", () => {
  const { path, log } = logIn();
  log.whileOpen((fd) => writeSync(fd, "one\n"));
  const size = log.size();
  log.whileOpen((fd) => writeSync(fd, "two\n"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(log.linesFrom(0)).toEqual(["one", "two"]);
  expect(log.linesFrom(size)).toEqual(["two"]);
});

test("a log that grew too large is kept once, and its writer goes on in the same file", () => {
  const { path, log } = logIn();
  log.whileOpen((fd) => {
    writeSync(fd, `${"a".repeat(limits.watchLogBytes)}\n`);
    log.trim();
    writeSync(fd, "behind\n");
  });
  log.trim();
  expect(readFileSync(path, "utf8")).toBe("behind\n");
  expect(statSync(`${path}.old`).size).toBe(limits.watchLogBytes + 1);
});

test("a link in the place of the log is refused, and what it leads to is left alone", () => {
  const { path, log } = logIn();
  log.whileOpen(() => {});
  rmSync(path);
  const target = join(path, "..", "precious");
  writeFileSync(target, "mine");
  symlinkSync(target, path);
  expect(() => log.whileOpen(() => {})).toThrow("symbolic link");
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(existsSync(`${path}.old`)).toBe(false);
});
