import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { limits } from "../limits.js";
import type { PaneAddress, SessionId } from "../names/gates.js";
import type { Problem } from "./file/error.js";
import { type ForkFilter, type ForkRow, forkStates, openForks } from "./forks.js";

const uuid = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;
const row = (change: Partial<ForkRow> = {}): ForkRow => ({
  at: "2026-04-22T08:52:40Z",
  pane: "web4team:0.1",
  role: null,
  uuid: uuid(1),
  state: "stable",
  parent: null,
  ...change,
});

function open(text?: string | Buffer) {
  const problems: Problem[] = [];
  const forks = openForks(join(testHome().config, "hivemind.forks.env"), (problem) => problems.push(problem));
  if (text !== undefined) {
    mkdirSync(dirname(forks.path), { recursive: true });
    writeFileSync(forks.path, text);
  }
  return { forks, problems };
}

describe("the forks", () => {
  test("begin with two comment lines", async () => {
    const { forks } = open();
    await forks.append([row()]);
    await forks.append([row({ state: "live", parent: uuid(2) })]);
    expect(readFileSync(forks.path, "utf8")).toBe(
      [
        "# hiveMind fork lineage — append-only audit log",
        "# timestamp|pane|role|uuid|state|parentUuid",
        `2026-04-22T08:52:40Z|web4team:0.1||${uuid(1)}|stable|`,
        `2026-04-22T08:52:40Z|web4team:0.1||${uuid(1)}|live|${uuid(2)}`,
        "",
      ].join("\n"),
    );
  });

  test("answer the one-liners of their documentation", async () => {
    const { forks } = open();
    await forks.append([
      row(),
      row({ pane: "web4team:0.10" }),
      row({ pane: "web4team:0.2", uuid: uuid(3), parent: uuid(1) }),
      row({ state: "broken", uuid: uuid(4) }),
      row({ state: "broken", uuid: uuid(4), pane: "web4team:0.3" }),
      row({ state: "broken", uuid: uuid(5), pane: "web4team:0.3" }),
    ]);
    const sh = (line: string) =>
      execFileSync("sh", ["-c", line, "sh", forks.path], { encoding: "utf8" }).trim();
    expect(sh("grep '|web4team:0.1|' \"$1\"").split("\n")).toHaveLength(2);
    expect(sh(`awk -F'|' '$6 == "${uuid(1)}"' "$1"`)).toContain(`|${uuid(3)}|`);
    expect(sh(`awk -F'|' '$5 == "broken" {print $4}' "$1" | sort -u | wc -l`)).toBe("2");
  });

  test("[FK1] are read in chunks, across lines that span them and lines longer than one", () => {
    const line = `2026-04-22T08:52:40Z|a:0.1||${uuid(1)}|stable|\n`;
    const many = line.repeat(Math.ceil((2.5 * limits.forkChunkBytes) / line.length));
    const giant = `${"x".repeat(3 * limits.forkChunkBytes)}\n`;
    const { forks, problems } = open(`${many}${giant}${line}${giant}${many}${line.trim()}`);
    const count = (filter?: ForkFilter) => [...forks.scan(filter)].length;
    const expected = 2 * (many.length / line.length) + 1;
    expect(count()).toBe(expected);
    expect(problems.map((problem) => problem.line)).toEqual([
      many.length / line.length + 1,
      many.length / line.length + 3,
    ]);
    expect([count({ pane: "a:0.1" }), count({ uuid: uuid(1) }), count({ parent: uuid(1) })]).toEqual([
      expected,
      expected,
      0,
    ]);
  });

  test("[FK2] are found by the query, and nothing else", () => {
    const panes: PaneAddress[] = ["a:0.1", "a:0.10", "aa:0.1"];
    const ids = [uuid(1), uuid(2)];
    const rows = fc.array(
      fc.record({
        at: fc.constant("2026-04-22T08:52:40Z"),
        pane: fc.option(fc.constantFrom(...panes)),
        role: fc.constant(null),
        uuid: fc.option(fc.constantFrom(...ids)),
        state: fc.constantFrom(...forkStates),
        parent: fc.option(fc.constantFrom(...ids)),
      }),
    );
    const filters = fc.record(
      {
        pane: fc.constantFrom(...panes),
        uuid: fc.constantFrom(...ids),
        parent: fc.constantFrom(...ids),
        state: fc.constantFrom(...forkStates),
        hasParent: fc.constant(true as const),
      },
      { requiredKeys: [] },
    );
    const { forks } = open("");
    fc.assert(
      fc.property(rows, filters, (all, filter) => {
        const text = (each: ForkRow) =>
          [each.at, each.pane, "", each.uuid, each.state, each.parent].join("|");
        writeFileSync(forks.path, all.map((each) => `${text(each)}\r\n# ${text(each)}\n\n`).join(""));
        const wanted = all.filter((each) =>
          Object.entries(filter).every(([key, value]) =>
            key === "hasParent" ? each.parent !== null : each[key as keyof ForkRow] === value,
          ),
        );
        expect([...forks.scan(filter)]).toEqual(wanted);
      }),
    );
  });

  test("skip invalid rows and report them", () => {
    const good = `2026-04-22T08:52:40Z|a:0.1||${uuid(1)}|stable|\n`;
    const bad = [
      "rubbish\n",
      good.replace("stable", "odd"),
      good.replace("a:0.1", "../x"),
      good.replace("Z", ""),
      "|||||\n",
    ];
    const { forks, problems } = open(bad.join(good));
    expect([...forks.scan()]).toHaveLength(4);
    expect(problems.map(({ line }) => line)).toEqual([1, 3, 5, 7, 9]);
  });
});

describe("the last row of each content", () => {
  const lastOf = (rows: Iterable<ForkRow>) => {
    const last = new Map<string, ForkRow>();
    for (const each of rows) {
      const key = JSON.stringify({ ...each, at: null });
      last.delete(key);
      last.set(key, each);
    }
    return [...last.values()];
  };

  test("[FK3] is the same as a look at every row gives", () => {
    const time = fc.constantFrom("2026-04-22T08:52:40Z", "2026-04-22T08:52:41Z", "2027-01-01T00:00:00.5Z");
    const what = fc.constantFrom(
      `a:0.1|dev|${uuid(1)}|live|`,
      `a:0.1|dev|${uuid(1)}|live|${uuid(2)}`,
      `a:0.2||${uuid(1)}|stable|\r`,
      "|||unknown|",
      "not|a row",
    );
    const line = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(time, what).map((each) => each.join("|")) },
      fc.constantFrom("", "# a|b|c", "no row", `yesterday|a:0.1|dev|${uuid(1)}|live|`),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const { forks } = open(lines.map((each) => `${each}\n`).join(""));
        expect(lastOf(forks.lastOfEach())).toEqual(lastOf(forks.scan()));
      }),
      { numRuns: 200 },
    );
  });

  test("[FK3] is read once per content, however often it occurs", () => {
    const said = Array.from(
      { length: 500 },
      (_, at) => `2026-04-22T08:52:${String(at % 60).padStart(2, "0")}Z`,
    );
    const { forks } = open(said.map((at) => `${at}|a:0.1|dev|${uuid(1)}|live|\n`).join(""));
    expect([...forks.lastOfEach()]).toEqual([
      { ...row(), at: said.at(-1), pane: "a:0.1", role: "dev", state: "live" },
    ]);
  });
});
