import {
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import {
  difference,
  newBlock,
  type Reading,
  type ScanLimits,
  type Stamp,
  scanFile,
  scanLimits,
  stampOf,
} from "../../src/transcripts/scan/scan.js";
import { testHome } from "../home.js";

/** Keeps every line: a line that is read twice or not at all shows. */
const lines = {
  empty: (): string[] => [],
  addLines: (into: string[], bytes: Buffer, from: number, to: number) => {
    const text = bytes.toString("utf8", from, to);
    into.push(...text.replace(/\n$/, "").split("\n"));
  },
};
const tiny: ScanLimits = { blockBytes: 16, lineBytes: 64 };

function scan(path: string, before: Reading<string[]> | null = null, bounds = tiny) {
  return scanFile(path, before, lines, newBlock(bounds), bounds);
}

function fileIn(text: string): string {
  const path = join(testHome().work, "a.jsonl");
  writeFileSync(path, text);
  return path;
}

describe("a file read before", () => {
  const stamp: Stamp = { inode: 7, sizeBytes: 100, modifiedAtMs: 1000, changedAtMs: 2000, bornAtMs: 500 };
  const then = { stamp, lookedAtMs: 9000 };

  test.each<[string, Partial<Stamp>, string]>([
    ["nothing changed", {}, "none"],
    ["only its birth time differs", { bornAtMs: 0 }, "none"],
    ["another file with the same size and time", { inode: 8 }, "other"],
    ["its change time differs", { changedAtMs: 2001 }, "other"],
    ["its modification time differs", { modifiedAtMs: 999 }, "other"],
    ["it is shorter", { sizeBytes: 99 }, "other"],
    ["it is longer", { sizeBytes: 101, modifiedAtMs: 3000 }, "grown"],
    ["it is longer and another file", { sizeBytes: 101, inode: 8 }, "other"],
  ])("is compared by its stamp: %s", (_, now, expected) => {
    expect(difference(then, { ...stamp, ...now })).toBe(expected);
  });

  test("is read again if it was written just before the look", () => {
    const shortly = limits.transcriptRacyMs - 1;
    expect(difference({ stamp, lookedAtMs: 2000 + shortly }, stamp)).toBe("other");
    expect(difference({ stamp, lookedAtMs: 2001 + shortly }, stamp)).toBe("none");
  });
});

describe("a file that changed", () => {
  const old = "[1]\n[22]\n[333]\n";

  test("costs only its new bytes if it only grew", () => {
    const path = fileIn(old);
    const before = scan(path)!.reading;
    appendFileSync(path, "[4]\n[55]\n");
    const { reading, bytesRead } = scan(path, before)!;
    expect(reading.value).toEqual(["[1]", "[22]", "[333]", "[4]", "[55]"]);
    expect(bytesRead).toBe(9);
    expect(before.value).toHaveLength(3);
  });

  test.each<[string, (path: string) => void, string[]]>([
    ["was shortened", (path) => truncateSync(path, 4), ["[1]"]],
    ["was emptied", (path) => truncateSync(path, 0), []],
    [
      "was shortened and grew past its old size",
      (path) => writeFileSync(path, "[1]\n[22]\n[999]\n[4]\n"),
      ["[1]", "[22]", "[999]", "[4]"],
    ],
    [
      "has another beginning and grew",
      (path) => writeFileSync(path, "[9]\n[22]\n[333]\n[4]\n"),
      ["[9]", "[22]", "[333]", "[4]"],
    ],
    [
      "was replaced by a longer one",
      (path) => {
        writeFileSync(`${path}.new`, `${old}[4]\n`);
        renameSync(`${path}.new`, path);
      },
      ["[1]", "[22]", "[333]", "[4]"],
    ],
  ])("is read from its start if it %s", (_, change, expected) => {
    const path = fileIn(old);
    const before = scan(path)!.reading;
    change(path);
    const { reading, bytesRead } = scan(path, before)!;
    expect(reading.value).toEqual(expected);
    expect(bytesRead).toBe(statSync(path).size);
  });
});

describe("a longer file with more than its two ends", () => {
  const long = Array.from({ length: 1000 }, (_, n) => `[${String(n).padStart(6, "0")}]`);
  const scribbled = (at: number) => long.with(at, "[999999]");

  test.each([
    ["beginning", 3],
    ["end", 997],
  ])("is read from its start if its %s changed", (_, at) => {
    const path = fileIn(`${long.join("\n")}\n`);
    const before = scan(path, null, scanLimits)!.reading;
    writeFileSync(path, `${scribbled(at).join("\n")}\n[1]\n`);
    expect(scan(path, before, scanLimits)!.reading.value).toEqual([...scribbled(at), "[1]"]);
  });
});

describe("the last line", () => {
  test("counts without its line end if it is whole, and is read again when the file grows", () => {
    const path = fileIn('[1]\n{"a":1}');
    const before = scan(path)!.reading;
    expect(before.value).toEqual(["[1]", '{"a":1}']);
    appendFileSync(path, "\n[3]\n");
    expect(scan(path, before)!.reading.value).toEqual(["[1]", '{"a":1}', "[3]"]);
  });

  test("does not count while it is torn, and counts when it is complete", () => {
    const path = fileIn('[1]\n{"a":');
    const before = scan(path)!.reading;
    expect(before).toMatchObject({ value: ["[1]"], offset: 4, settled: null });
    appendFileSync(path, '"✳');
    const between = scan(path, before)!.reading;
    expect(between.value).toEqual(["[1]"]);
    appendFileSync(path, '"}\n');
    expect(scan(path, between)!.reading.value).toEqual(["[1]", '{"a":"✳"}']);
  });
});

describe("memory", () => {
  const long = `"${"x".repeat(40)}"`;
  const tooLong = `"${"y".repeat(200)}"`;

  test("lines longer than a block are read whole, up to the limit (incident 63)", () => {
    const path = fileIn(`[1]\n${long}\n${tooLong}\n[2]\n${long}\n`);
    const block = newBlock(tiny);
    const { reading } = scanFile(path, null, lines, block, tiny)!;
    expect(reading.value).toEqual(["[1]", long, "[2]", long]);
    expect(block.bytes.length).toBe(tiny.blockBytes);
  });

  test("a too long line at the end of the file is skipped when it is complete", () => {
    const path = fileIn(`[1]\n${tooLong.slice(0, 100)}`);
    const before = scan(path)!.reading;
    expect(before).toMatchObject({ value: ["[1]"], offset: 4 });
    appendFileSync(path, `${tooLong.slice(100)}\n[2]\n`);
    expect(scan(path, before)!.reading.value).toEqual(["[1]", "[2]"]);
  });

  test.each([1, 16, 64])(
    "in blocks of %i bytes a skipped line is reported in its place, with its size",
    (blockBytes) => {
      const told = {
        ...lines,
        addSkipped: (into: string[], bytes: number) => void into.push(`skipped ${bytes}`),
      };
      const read = (text: string) => {
        const bounds = { blockBytes, lineBytes: 64 };
        return scanFile(fileIn(text), null, told, newBlock(bounds), bounds)!.reading.value;
      };
      const unfinished = tooLong.slice(0, 100);
      const skipped = `skipped ${tooLong.length}`;
      expect(read(`[1]\n${tooLong}\n[2]\n${long}\n${unfinished}`)).toEqual([
        "[1]",
        skipped,
        "[2]",
        long,
        "skipped 100",
      ]);
      expect(read(`${tooLong}\n${tooLong}\n`).filter((line) => line !== "")).toEqual([skipped, skipped]);
    },
  );

  test.each([1, 2, 3, 5, 7, 16, 64, 1000])("the lines are the same in blocks of %i bytes", (blockBytes) => {
    const texts = ["[1]", "", long, '"日本"', "[]", long, "[5]"];
    const path = fileIn(`${texts.join("\n")}\n`);
    expect(scan(path, null, { blockBytes, lineBytes: 64 })!.reading.value).toEqual(texts);
  });
});

test.each([
  ["before whole lines", "\ufeff[1]\n[2]\n", ["[1]", "[2]"]],
  ["before a line without its line end", '\ufeff{"a":1}', ['{"a":1}']],
  ["alone", "\ufeff", []],
  ["elsewhere is text", '[1]\n"\ufeff"\n', ["[1]", '"\ufeff"']],
])("a byte order mark %s", (_, text, expected) => {
  const path = fileIn(text);
  const { reading } = scan(path)!;
  expect(reading.value).toEqual(expected);
  appendFileSync(path, "\n[3]\n");
  expect(scan(path, reading)!.reading.value.filter((line) => line !== "")).toEqual([...expected, "[3]"]);
});

test("a missing file is empty; a link in its place is refused", () => {
  const path = fileIn("[1]\n");
  symlinkSync(path, `${path}.link`);
  expect(() => scan(`${path}.link`)).toThrow("symbolic link");
  expect(stampOf(statSync(path)).sizeBytes).toBe(4);
  rmSync(path);
  expect(scan(path)).toBeNull();
});
