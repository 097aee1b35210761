import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { roles, teams, texts, uuids } from "../../test/stores/samples.js";
import type { Role, SessionId, TeamName } from "../names/gates.js";
import { agentKinds, formatSnapshot, parseSnapshot, type SnapshotRow, savedText } from "./snapshot-text.js";
import { openSnapshots } from "./snapshots.js";

const row: SnapshotRow = {
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
const nowMs = Date.UTC(2026, 4, 25, 19, 30, 0);
const open = () => openSnapshots(testHome().config);
const parse = (text: string) => parseSnapshot("/s", Buffer.from(text));

describe("the text of a snapshot", () => {
  test("has a header and a row a pane", () => {
    const shell: SnapshotRow = { ...row, role: null, uuid: null, kind: "shell", model: "" };
    expect(
      formatSnapshot([row, shell], nowMs, { isAutosave: true, silent: new Set([row.uuid!]) }),
    ).toBe(`# version: 1
# hiveMind snapshot 2026-05-25T19:30:00Z
# session|address|role|uuid|title|cwd|model|kind
# autosave
# no word yet aca3405a-0000-4000-8000-000000000000
ooshTeam|0.4|oosh-po|aca3405a-0000-4000-8000-000000000000|✳ oosh-po|/Users/Shared|opus|claude
ooshTeam|0.4|||✳ oosh-po|/Users/Shared||shell
`);
  });

  test("gives back the rows it was made of", () => {
    const rows = fc.uniqueArray(
      fc.record({
        team: teams,
        window: fc.nat(99),
        pane: fc.nat(99),
        role: fc.option(roles),
        uuid: fc.option(uuids),
        title: texts,
        cwd: texts,
        model: texts,
        kind: fc.constantFrom(...agentKinds),
      }),
      { selector: ({ team, window, pane }) => `${team}:${window}.${pane}` },
    );
    fc.assert(
      fc.property(rows, fc.boolean(), fc.array(uuids), (all, isAutosave, ids) => {
        const silent = new Set(ids);
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
    "[SN1] %j is refused",
    (text) => expect(() => parse(text)).toThrow(expect.objectContaining({ reason: "newer", exitCode: 1 })),
  );

  test.each([[""], ["a|0.0|||t|/|m|shell\n"], ["# version: 1\n"], ["a|0.0|||t|/|m|shell\n# version: 2\n"]])(
    "[SN1] %j is version 1",
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
  ])("[SN2] the row %j is named, and those around it count (incident 3)", (bad, why) => {
    const read = parse(`# version: 1\na|0.0|||t|/|m|shell\n${bad}\nb|0.0|||t|/|m|shell\n`);
    expect(read.rows.map(({ team }) => team)).toEqual(["a", "b"]);
    expect(read.problems).toEqual([{ path: "/s", line: 3, why: expect.stringMatching(`^${why}`) }]);
  });

  test("[SN2] the same role in two teams is two rows (incident 19)", () =>
    expect(parse("a|0.0|po||t|/|m|claude\nb|0.0|po||t|/|m|claude\n").rows).toHaveLength(2));

  test.each([
    ["a|b\nc\u0007", "a b c "],
    ["x".repeat(5000), "x".repeat(4096)],
  ])("holds %j as something a row can hold", (text, expected) => expect(savedText(text)).toBe(expected));
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
    for (const name of ["hivemind.snapshot.x.env", "hivemind.teams.env"])
      writeFileSync(join(snapshots.folder, name), "");
    expect(snapshots.list().map(({ name }) => name.slice(18, -4))).toEqual([
      "20260525T193002",
      "20260525T193001",
      "20260525T193000-2",
      "20260525T193000",
    ]);
  });

  test("that are missing are an error, not the latest (incident 9)", async () => {
    const snapshots = open();
    await snapshots.create([row], { isAutosave: false });
    expect(() => snapshots.read(join(snapshots.folder, "missing.env"))).toThrow(/no such snapshot/);
  });

  test("are pruned by name, and only they", async () => {
    const snapshots = open();
    const path = await snapshots.create([row], { isAutosave: true, nowMs });
    const other = join(snapshots.folder, "hivemind.teams.env");
    writeFileSync(other, "a|\n");
    await snapshots.prune([...snapshots.list(), { path: other, name: "x", savedAtMs: 0 }]);
    expect(() => readFileSync(path)).toThrow();
    expect(readFileSync(other, "utf8")).toBe("a|\n");
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
