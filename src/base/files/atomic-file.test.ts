import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import {
  appendLines,
  closeTornLine,
  createFile,
  FileRefused,
  readBytes,
  removeFile,
  replaceFile,
  sweepTemporary,
} from "./atomic-file.js";

const place = () => join(testHome().config, "deep", "x.env");
const text = (path: string) => readBytes(path, 1000)?.toString();

describe("a file", () => {
  test("[AF1] is replaced as a whole, and no other file is left", () => {
    const path = place();
    replaceFile(path, "old\n");
    const before = statSync(path).ino;
    replaceFile(path, Buffer.from("new\n"));
    expect(text(path)).toBe("new\n");
    expect(statSync(path).ino).not.toBe(before);
    expect(readdirSync(dirname(path))).toEqual(["x.env"]);
  });

  test("[AF1] is created with all its content, and only if there is none", () => {
    const path = place();
    expect(createFile(path, "first")).toBe(true);
    expect(createFile(path, "second")).toBe(false);
    expect(text(path)).toBe("first");
    expect(readdirSync(dirname(path))).toEqual(["x.env"]);
  });

  test("[AF2] that cannot be put in place leaves nothing", () => {
    const path = place();
    mkdirSync(join(path, "in the way"), { recursive: true });
    expect(() => replaceFile(path, "x")).toThrow();
    expect(readdirSync(dirname(path))).toEqual(["x.env"]);
  });

  test("[AF3] is private, and so are the folders created for it", () => {
    const path = place();
    const mode = (of: string) => statSync(of).mode & 0o777;
    replaceFile(path, "x");
    appendLines(`${path}.log`, "x\n");
    createFile(`${path}.new`, "x");
    expect([path, `${path}.log`, `${path}.new`].map(mode)).toEqual([0o600, 0o600, 0o600]);
    expect([dirname(path), dirname(dirname(path))].map(mode)).toEqual([0o700, 0o700]);
  });

  test("can be removed once", () => {
    const path = place();
    replaceFile(path, "x");
    expect([removeFile(path), removeFile(path)]).toEqual([true, false]);
  });

  test("loses the leftovers of killed writers beside it, and nothing else", () => {
    const path = place();
    replaceFile(path, "x");
    const folder = dirname(path);
    const others = [".x.env.tmp", ".y.env.12-0123456789ab.tmp", "x.env.12-0123456789ab.tmp"];
    for (const name of [...others, ".x.env.12-0123456789ab.tmp"]) writeFileSync(join(folder, name), "");
    sweepTemporary(folder, "x.env");
    expect(readdirSync(folder).sort()).toEqual([...others, "x.env"].sort());
  });
});

describe("a line", () => {
  test.each([
    ["a new file", null, "a\nb\n"],
    ["a complete line", "1\n", "1\na\nb\n"],
    ["an incomplete line", "1", "1\na\nb\n"],
  ])("[AF4] is added to %s", (_, before, after) => {
    const path = place();
    if (before !== null) replaceFile(path, before);
    appendLines(path, "a\nb\n");
    expect(text(path)).toBe(after);
  });

  test.each([
    ["1\n2", "1\n2\u0018\n"],
    ["1\n", "1\n"],
    ["", ""],
  ])("[AF4] left incomplete by a dead writer is marked: %j", (before, after) => {
    const path = place();
    replaceFile(path, before);
    closeTornLine(path);
    expect(text(path)).toBe(after);
  });
});

describe("reading", () => {
  test("gives null for a missing file", () => expect(readBytes(place(), 10)).toBeNull());

  test.each<[string, (path: string) => void, RegExp]>([
    ["a symbolic link", (path) => symlinkSync("/etc/hostname", path), /symbolic link/],
    ["a dangling symbolic link", (path) => symlinkSync("nowhere", path), /symbolic link/],
    ["a folder", (path) => mkdirSync(path), /folder/],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /regular file/],
    ["a file that is too large", (path) => writeFileSync(path, "x".repeat(11)), /11 bytes/],
  ])("[AF5] refuses %s", (_, make, why) => {
    const path = place();
    mkdirSync(dirname(path), { recursive: true });
    make(path);
    expect(() => readBytes(path, 10)).toThrow(why);
    expect(() => readBytes(path, 10)).toThrow(FileRefused);
  });

  test("[AF5] appending refuses them too, and leaves the link's target unchanged", () => {
    const path = place();
    replaceFile(`${path}.real`, "x\n");
    symlinkSync(`${path}.real`, path);
    expect(() => appendLines(path, "y\n")).toThrow(/symbolic link/);
    expect(readFileSync(`${path}.real`, "utf8")).toBe("x\n");
  });

  test("goes through a folder that is a symbolic link", () => {
    const path = place();
    replaceFile(path, "x");
    const link = join(dirname(dirname(path)), "link");
    symlinkSync(dirname(path), link);
    replaceFile(join(link, "x.env"), "y");
    expect(text(path)).toBe("y");
  });
});
