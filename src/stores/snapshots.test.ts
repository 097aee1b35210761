import { lutimesSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { roles, teams, texts, uuids } from "../../test/stores/samples.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role, SessionId, TeamName } from "../names/gates.js";
import { kinds } from "../names/kind.js";
import { openSnapshots } from "./snapshots.js";
import { formatSnapshot, parseSnapshot, type SnapshotRow, savedText } from "./text/snapshot-text.js";

const agent = "abcdefgh23" as AgentId;
const row: SnapshotRow = {
  agent,
  team: "ooshTeam" as TeamName,
  window: 0,
  pane: 4,
  role: "oosh-po" as Role,
  uuid: "aca3405a-0000-4000-8000-000000000000" as SessionId,
  title: "✳ oosh-po",
  cwd: "/Users/Shared",
  model: "opus",
  kind: "claude",
};
const agents = fc
  .array(fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz234567"), { minLength: 10, maxLength: 10 })
  .map((letters) => letters.join("") as AgentId);
const hasAgent = (each: { agent: AgentId | null }) => each.agent !== null;
const nowMs = Date.UTC(2026, 4, 25, 19, 30, 0);
const open = () => openSnapshots(testHome().config);
const parse = (text: string) => parseSnapshot("/s", Buffer.from(text));

describe("the text of a snapshot", () => {
  test("has a header and one row per pane", () => {
    const shell: SnapshotRow = { ...row, agent: null, role: null, uuid: null, kind: "shell", model: "" };
    expect(
      formatSnapshot([row, shell], nowMs, { isAutosave: true, silent: new Set([row.uuid!]) }),
    ).toBe(`# version: 1
# hiveMind snapshot 2026-05-25T19:30:00Z
# session|address|role|uuid|title|cwd|model|kind
# autosave
# no word yet aca3405a-0000-4000-8000-000000000000
# agent abcdefgh23 ooshTeam:0.4
ooshTeam|0.4|oosh-po|aca3405a-0000-4000-8000-000000000000|✳ oosh-po|/Users/Shared|opus|claude
ooshTeam|0.4|||✳ oosh-po|/Users/Shared||shell
`);
  });

  test("reads back as the rows it was made of", () => {
    const rows = fc.uniqueArray(
      fc.record({
        agent: fc.option(agents),
        team: teams,
        window: fc.nat(99),
        pane: fc.nat(99),
        role: fc.option(roles),
        uuid: fc.option(uuids),
        title: texts,
        cwd: texts,
        model: texts,
        kind: fc.option(fc.constantFrom(...kinds)),
      }),
      { selector: ({ team, window, pane }) => `${team}:${window}.${pane}` },
    );
    fc.assert(
      fc.property(rows, fc.boolean(), fc.array(uuids), (all, isAutosave, ids) => {
        const silent = new Set(ids);
        fc.pre(new Set(all.flatMap((each) => each.agent ?? [])).size === all.filter(hasAgent).length);
        const read = parse(formatSnapshot(all, nowMs, { isAutosave, silent }));
        expect(read).toMatchObject({
          rows: all,
          isAutosave,
          silent,
          problems: [],
          savedAt: "2026-05-25T19:30:00Z",
        });
      }),
    );
  });

  test.each([["# version: 2\n"], ["# a remark\n# version: 99\n"], ["\n# version: beta\n"]])(
    "%j is refused",
    (text) => expect(() => parse(text)).toThrow(expect.objectContaining({ reason: "newer", exitCode: 1 })),
  );

  test.each([[""], ["a|0.0|||t|/|m|shell\n"], ["# version: 1\n"], ["a|0.0|||t|/|m|shell\n# version: 2\n"]])(
    "%j is version 1",
    (text) => expect(parse(text).problems).toEqual([]),
  );

  test.each([
    ["../x|0.0|||t|/|m|shell", "not a team name"],
    ["a|0|||t|/|m|shell", "not an address"],
    ["a|0.0|Read session/…||t|/|m|shell", "not a role"],
    ["a|0.0||x|t|/|m|shell", "not a session id"],
    ["a|0.0|||t|/|m|dragon", "not a kind"],
    ["a|0.0|||t\u0007|/|m|shell", "not a valid field"],
    ["a|0.0|||t|/|m|shell|more", "a row is"],
    ["a|0.0", "a row is"],
    ["a|0.0|||t|/|m", "a row is"],
    ["a|0.0|||t", "a row is"],
  ])("the row %j is reported, and those around it count (incident 3)", (bad, why) => {
    const read = parse(`# version: 1\na|0.0|||t|/|m|shell\n${bad}\nb|0.0|||t|/|m|shell\n`);
    expect(read.rows.map(({ team }) => team)).toEqual(["a", "b"]);
    expect(read.problems).toEqual([{ path: "/s", line: 3, why: expect.stringMatching(`^${why}`) }]);
  });

  test.each<[string, object]>([
    ["a|0.0|po|A|t", { cwd: "", model: "", kind: null }],
    ["a|0.0|po|A|t|/a", { cwd: "/a", model: "", kind: null }],
    ["a|0.0|po|A|t|/a|opus", { cwd: "/a", model: "opus", kind: null }],
    ["a|0.0|po|A|t|/a|opus|", { cwd: "/a", model: "opus", kind: null }],
    ["a|0.0|po|A|t|/a|opus|claude", { cwd: "/a", model: "opus", kind: "claude" }],
    ["a|0.0|po|A|t|/a|opus|claude \t", { cwd: "/a", model: "opus", kind: "claude" }],
    ["a|0.0|unknown||MacStudio", { role: null, uuid: null, title: "MacStudio", kind: null }],
  ])("without a version header %j is read", (text, expected) => {
    for (const [head, end] of [
      ["", "\n"],
      ["", ""],
      ["# session|address|role|uuid|title\r\n\r\n", "\r\n"],
      ["\ufeff", "\n\n"],
    ]) {
      const { rows, problems } = parse(`${head}${text.replace("A", row.uuid!)}${end}`);
      expect(problems).toEqual([]);
      expect(rows).toMatchObject([{ team: "a", window: 0, pane: 0, ...expected }]);
    }
  });

  test.each(["a", "a|0.0", "a|0.0|po", "a|0.0|po|", "a|0.0|po||t|/a|opus|claude|more"])(
    "without a version header %j is still not a row",
    (text) => expect(parse(text)).toMatchObject({ rows: [], problems: [{ line: 1 }] }),
  );

  test.each<[string, (string | null)[]]>([
    ["# agent abcdefgh23 a:0.0\na|0.0|||t|/|m|shell\nb|0.0|||t|/|m|shell\n", ["abcdefgh23", null]],
    ["a|0.0|||t|/|m|shell\nb|0.0|||t|/|m|shell\n# agent abcdefgh23 a:0.0\n", ["abcdefgh23", null]],
    ["# agent abcdefgh23 a:0.0\n# agent abcdefgh23 b:0.0\na|0.0|||t\nb|0.0|||t\n", ["abcdefgh23", null]],
    ["# agent abcdefgh2 a:0.0\na|0.0|||t|/|m|shell\n", [null]],
    ["# agent abcdefgh23 a:0.1\na|0.0|||t|/|m|shell\n", [null]],
    ["# agent abcdefgh23\n # agent abcdefgh23 a:0.0 x\na|0.0|||t\n", [null]],
  ])("%j names the agents %j", (text, expected) => {
    const { rows, problems } = parse(text);
    expect([rows.map((each) => each.agent), problems]).toEqual([expected, []]);
  });

  test("of two rows of one address the last counts, and the other is reported", () => {
    const read = parse("a|0.0|po||t|/|m|claude\na|0.0|dev||t|/|m|claude\na|00.0|dev||t|/|m|claude\n");
    expect(read.rows).toMatchObject([{ role: "dev" }]);
    expect(read.problems).toEqual([
      { path: "/s", line: 1, why: "replaced by another row of a:0.0 further down" },
    ]);
  });

  test("a byte order mark hides no version", () =>
    expect(() => parse("\ufeff# version: 2\n")).toThrow(expect.objectContaining({ reason: "newer" })));

  test.each([
    ["# hiveMind snapshot 2026-05-25T19:30:00", "2026-05-25T19:30:00Z"],
    ["# hiveMind snapshot 2026-05-25T19:30:00Z", "2026-05-25T19:30:00Z"],
    ["# hiveMind snapshot 2026-05-25T19:30:00\r", "2026-05-25T19:30:00Z"],
    ["# hiveMind snapshot 2026-05-25T19:30:00+02:00", "2026-05-25T17:30:00Z"],
    ["# hivemind snapshot 2026-05-25 19:30", "2026-05-25T19:30:00Z"],
    ["# hiveMind snapshot yesterday", ""],
    ["# hiveMind snapshot", ""],
    ["", ""],
  ])("the header %j says %j", (header, expected) => {
    expect(parse(`${header}\na|0.0|||t|/|m|shell\n`).savedAt).toBe(expected);
  });

  test("the sample of the seeds is read as printed", () => {
    const uuid = "aca3405a-1111-4222-8333-444455556666";
    const sample = `# version: 1
# hiveMind snapshot 2026-05-25T19:30:00
# session|address|role|uuid|title|cwd|model|kind
ooshTeam|0.0|oosh-po|${uuid}|oosh-po|/Users/Shared/oosh|opus|claude
ooshTeam|0.4|oosh-expert-shell||oosh-expert-shell|/Users/Shared/oosh||shell
`;
    expect(parse(sample)).toMatchObject({
      savedAt: "2026-05-25T19:30:00Z",
      problems: [],
      rows: [
        { window: 0, pane: 0, role: "oosh-po", uuid, model: "opus", kind: "claude" },
        { window: 0, pane: 4, role: "oosh-expert-shell", uuid: null, model: "", kind: "shell" },
      ],
    });
  });

  test("the same role in two teams is two rows (incident 19)", () =>
    expect(parse("a|0.0|po||t|/|m|claude\nb|0.0|po||t|/|m|claude\n").rows).toHaveLength(2));

  test.each([
    ["a|b\nc\u0007", "a b c "],
    ["x".repeat(5000), "x".repeat(4096)],
  ])("stores %j in a form that a row can hold", (text, expected) => expect(savedText(text)).toBe(expected));
});

describe("snapshots", () => {
  test("[SS1] never replace each other", async () => {
    const snapshots = open();
    const save = (isAutosave: boolean) => snapshots.create([row], { isAutosave, nowMs });
    const paths = await Promise.all([save(false), save(true), save(false)]);
    expect(paths.map((path) => basename(path)).sort()).toEqual([
      "hivemind.snapshot.20260525T193000-2.env",
      "hivemind.snapshot.20260525T193000-3.env",
      "hivemind.snapshot.20260525T193000.env",
    ]);
    expect(snapshots.read(paths[1]!)).toMatchObject({ rows: [row], isAutosave: true });
  });

  test("[SS2] are listed newest first, and nothing else is", async () => {
    const snapshots = open();
    for (const at of [0, 0, 1000, 2000])
      await snapshots.create([row], { isAutosave: false, nowMs: nowMs + at });
    for (const name of ["hivemind.snapshot.env", "hivemind.snapshot.x", "hivemind.teams.env"])
      writeFileSync(join(snapshots.folder, name), "");
    expect(snapshots.list().map(({ name }) => name.slice(18, -4))).toEqual([
      "20260525T193002",
      "20260525T193001",
      "20260525T193000-2",
      "20260525T193000",
    ]);
  });

  test("[SS2] of any name are listed: by the time of their header, else of their file", async () => {
    const snapshots = open();
    const put = (label: string, text: string, seconds = 0) => {
      const path = join(snapshots.folder, `hivemind.snapshot.${label}.env`);
      writeFileSync(path, text);
      utimesSync(path, seconds, seconds);
    };
    await snapshots.create([row], { isAutosave: false, nowMs });
    put("before-upgrade", "# hiveMind snapshot 2026-05-25T19:30:01\n");
    put("2026-05-25", "# hiveMind snapshot 2026-05-25T19:29:59\r\n");
    put("same second", "# version: 1\n# hiveMind snapshot 2026-05-25T19:30:00\n");
    put("no.header.at-all", "web|0.0|||t\n", nowMs / 1000 + 60);
    put("\u0007x", "", 1);
    symlinkSync("/nowhere", join(snapshots.folder, "hivemind.snapshot.link.env"));
    lutimesSync(join(snapshots.folder, "hivemind.snapshot.link.env"), 2, 2);
    expect(snapshots.list().map(({ name, isForeign }) => [name.slice(18, -4), isForeign])).toEqual([
      ["no.header.at-all", true],
      ["before-upgrade", true],
      ["20260525T193000", false],
      ["same second", true],
      ["2026-05-25", true],
      ["link", true],
      ["\u0007x", true],
    ]);
  });

  test("[SS3] a save is newer than snapshots with foreign names", async () => {
    const snapshots = open();
    await snapshots.create([row], { isAutosave: false, nowMs });
    const other = join(snapshots.folder, "hivemind.snapshot.mine.env");
    writeFileSync(other, "# hiveMind snapshot 2026-05-26T00:00:00\n");
    const path = await snapshots.create([row], { isAutosave: false, nowMs });
    expect(snapshots.list()[0]!.path).toBe(path);
  });

  test("that are missing are an error, not the latest (incident 9)", async () => {
    const snapshots = open();
    await snapshots.create([row], { isAutosave: false });
    expect(() => snapshots.read(join(snapshots.folder, "missing.env"))).toThrow(/no such snapshot/);
  });

  test("are pruned by name, and nothing else is", async () => {
    const snapshots = open();
    const path = await snapshots.create([row], { isAutosave: true, nowMs });
    const other = join(snapshots.folder, "hivemind.teams.env");
    writeFileSync(other, "a|\n");
    const mine = join(snapshots.folder, "hivemind.snapshot.mine.env");
    writeFileSync(mine, "# autosave\n");
    await snapshots.prune([...snapshots.list(), { path: other, name: "x", savedAtMs: 0, isForeign: false }]);
    expect(() => readFileSync(path)).toThrow();
    expect(readFileSync(other, "utf8")).toBe("a|\n");
    expect(readFileSync(mine, "utf8")).toBe("# autosave\n");
  });
});

test("[SS3] after the clock was set back a save is still the newest", async () => {
  const snapshots = open();
  const facts = { isAutosave: false, silent: new Set<SessionId>() };
  const before = await snapshots.create([row], { ...facts, nowMs });
  const after = await snapshots.create([row], { ...facts, nowMs: nowMs - 3_600_000 });
  expect(snapshots.list().map(({ path }) => path)).toEqual([after, before]);
  expect(snapshots.read(after).savedAt).toBe("2026-05-25T18:30:00Z");
});
