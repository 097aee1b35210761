import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { agents as agentIds, panes, roles, teams, uuids } from "../../test/stores/samples.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { Seat } from "../names/seat.js";
import { formatRow } from "./file/row-lines.js";
import type { RoleRow } from "./roles.js";
import type { RosterState, Views } from "./roster.js";
import { openStores } from "./stores.js";
import { type AgentRow, agentFormat } from "./text/roster-rows.js";

const seat = { server: { socket: "/tmp/a|b%,1/%2", pid: 7, startedAt: 1_700_000_000 }, pane: "%5" } as const;
const po: AgentRow = {
  id: "aaaaaaaaaa" as AgentId,
  team: "t" as TeamName,
  role: "po" as Role,
  kind: "claude",
  session: "00000001-0000-4000-8000-000000000000" as SessionId,
  seat,
  address: "t:0.0",
  epoch: 1_700_000_100,
};

const roleRow = (pane: string, role: string): RoleRow => ({
  pane: pane as PaneAddress,
  role: role as Role,
  epoch: 5,
});
/** S1 with these roles; S2 with a session for each. */
const viewsOf = (...rows: RoleRow[]): Views => ({
  roles: rows,
  sessions: rows.map(({ pane }) => ({ pane, uuid: po.session! })),
});

function open() {
  const { config, env } = testHome();
  mkdirSync(config, { recursive: true });
  const { roster, paths, problems } = openStores(env);
  const files = [
    paths.roster,
    paths.roles,
    join(paths.viewFolder, "roles.env"),
    paths.sessions,
    join(paths.viewFolder, "sessions.env"),
  ];
  const contents = () => files.map((path) => (existsSync(path) ? readFileSync(path, "utf8") : null));
  const restore = (path: string, text: string | null) =>
    text === null ? rmSync(path, { force: true }) : writeFileSync(path, text);

  /** The state that the change found. */
  async function write(agents: readonly AgentRow[], views: Views): Promise<RosterState> {
    let found: RosterState | undefined;
    await roster.update((state) => {
      found = state;
      return { agents, views, afterCommit: async () => {} };
    });
    return found!;
  }

  /** The same, by a process that is killed after this many files were written. */
  async function killed(written: number, agents: readonly AgentRow[], views: Views): Promise<RosterState> {
    const before = contents();
    const found = await write(agents, views);
    for (const [at, path] of files.entries()) if (at >= written) restore(path, before[at]!);
    return found;
  }
  return { roster, paths, problems, files, contents, write, killed };
}

describe("a row of the roster", () => {
  const some = fc.record({
    id: agentIds,
    team: teams,
    role: fc.option(roles),
    kind: fc.constantFrom("", "claude", "demo"),
    session: fc.option(uuids),
    seat: fc.option(
      fc
        .tuple(
          fc.string({ unit: "grapheme" }),
          fc.integer({ min: 1, max: 4_000_000 }),
          fc.nat(),
          fc.nat(999_999),
          fc.option(fc.nat()),
        )
        .map(([text, pid, startedAt, pane, container]): Seat => {
          const inside = container === null ? {} : { namespace: String(container) };
          return { server: { socket: `/${text}`, pid, startedAt, ...inside }, pane: `%${pane}` };
        }),
    ),
    address: fc.option(panes),
    epoch: fc.nat(),
  });

  test("reads back as the same agent", () => {
    fc.assert(
      fc.property(some, (row) => void expect(agentFormat.parse(formatRow(row, agentFormat))).toEqual(row)),
    );
  });

  test.each([
    ["too few fields", "aaaaaaaaaa|t|po|claude||||"],
    ["no id", "aaaa|t|po|claude||||5"],
    ["no team", "aaaaaaaaaa||po|claude||||5"],
    ["a bad seat", "aaaaaaaaaa|t|po|claude||%5||5"],
    ["a bad address", "aaaaaaaaaa|t|po|claude|||t|5"],
    ["a bad kind", "aaaaaaaaaa|t|po|Claude Code||||5"],
  ])("with %s is a bad row", (_, line) => expect(agentFormat.parse(line)).toBe(agentFormat.rule));
});

describe("a change of the roster", () => {
  test("writes S0 and both views, and is read back without edits", async () => {
    const { roster, paths, write, contents } = open();
    await write([po], viewsOf(roleRow("t:0.0", "po")));
    expect(roster.read()).toEqual({ agents: [po], edits: { roles: [], sessions: [] } });
    expect(readFileSync(paths.roles, "utf8")).toBe("t:0.0|po|5\n");
    expect(readFileSync(paths.sessions, "utf8")).toBe(`t:0.0|${po.session}\n`);
    expect(contents()[2]).toBe(contents()[1]);
    expect(contents()[4]).toBe(contents()[3]);
    expect(statSync(paths.roster).mode & 0o777).toBe(0o600);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    "[RSF1] killed with %i files written, it happened fully or not at all, and the next writes the rest",
    async (written) => {
      const { roster, write, killed, contents } = open();
      await write([po], viewsOf(roleRow("t:0.0", "po")));
      const renamed = { ...po, role: "dev" as Role };
      const views = viewsOf(roleRow("t:0.0", "dev"), roleRow("t:0.1", "qa"));
      await killed(written, [renamed], views);
      expect(roster.read()).toEqual({
        agents: [written === 0 ? po : renamed],
        edits: { roles: [], sessions: [] },
      });
      await write([renamed], views);
      const whole = open();
      await whole.write([po], viewsOf(roleRow("t:0.0", "po")));
      await whole.write([renamed], views);
      expect(contents().slice(1)).toEqual(whole.contents().slice(1));
      expect(roster.read().edits).toEqual({ roles: [], sessions: [] });
    },
  );

  test.each([1, 2, 3, 4, 5])(
    "[RSF2] that took in an edit and was killed with %i files written does not find it again",
    async (written) => {
      const { roster, paths, write, killed } = open();
      await write([po], viewsOf(roleRow("t:0.0", "po")));
      appendFileSync(paths.roles, "t:0.1|dev|5\n");
      const found = await killed(written, [po], viewsOf(roleRow("t:0.0", "po"), roleRow("t:0.1", "qa")));
      expect(found.edits.roles).toEqual([roleRow("t:0.1", "dev")]);
      expect(roster.read().edits.roles).toEqual([]);
    },
  );

  test.each<[string, (text: string) => string, readonly RoleRow[]]>([
    ["a new row", (text) => `${text}t:0.9|new|5\n`, [roleRow("t:0.9", "new")]],
    ["another role", (text) => text.replace("po", "dev"), [roleRow("t:0.0", "dev")]],
    [
      "a row without its time",
      (text) => text.replace("|5", ""),
      [{ ...roleRow("t:0.0", "po"), epoch: null }],
    ],
    ["a comment", (text) => `# note\n${text}`, []],
    ["another order", (text) => text.split("\n").toReversed().join("\n").trimStart().concat("\n"), []],
    ["a row removed", (text) => text.split("\n").slice(1).join("\n"), []],
    ["an empty file", () => "", []],
    ["nothing but garbage", () => "rubbish\n", []],
  ])("[RSF2] finds as an edit: %s", async (_, edit, expected) => {
    const { roster, paths, write } = open();
    const rows = [roleRow("t:0.0", "po"), roleRow("t:0.1", "qa")];
    await write([po], viewsOf(...rows));
    writeFileSync(paths.roles, edit(readFileSync(paths.roles, "utf8")));
    expect(roster.read().edits.roles).toEqual(expected);
    expect((await write([po], viewsOf(...rows))).edits.roles).toEqual(expected);
    expect(roster.read().edits.roles).toEqual([]);
  });

  test("[RSF2] finds as an edit that a view was put back to an earlier content", async () => {
    const { roster, paths, write } = open();
    await write([po], viewsOf(roleRow("t:0.0", "po")));
    const before = readFileSync(paths.roles, "utf8");
    await write([po], viewsOf(roleRow("t:0.0", "dev")));
    writeFileSync(paths.roles, before);
    expect(roster.read().edits.roles).toEqual([roleRow("t:0.0", "po")]);
  });

  test("[RSF2] finds every row of files without a roster", () => {
    const { roster, paths } = open();
    writeFileSync(paths.roles, "t:0.0|po\nt:0.1|qa|7\n");
    writeFileSync(paths.sessions, `t:0.0|${po.session}\n`);
    expect(roster.read()).toEqual({
      agents: [],
      edits: {
        roles: [
          { ...roleRow("t:0.0", "po"), epoch: null },
          { ...roleRow("t:0.1", "qa"), epoch: 7 },
        ],
        sessions: [{ pane: "t:0.0", uuid: po.session }],
      },
    });
  });

  test("[RSF3] without a difference writes nothing", async () => {
    const { files, write } = open();
    await write([], viewsOf());
    expect(files.filter((path) => existsSync(path))).toEqual([]);
    await write([po], viewsOf(roleRow("t:0.0", "po")));
    const inodes = () => files.map((path) => statSync(path).ino);
    const before = inodes();
    for (let times = 0; times < 3; times++) await write([{ ...po }], viewsOf(roleRow("t:0.0", "po")));
    expect(inodes()).toEqual(before);
  });

  test("[RSF4] keeps comments and bad rows in all three files", async () => {
    const { paths, write, problems } = open();
    await write([po], viewsOf(roleRow("t:0.0", "po")));
    for (const path of [paths.roster, paths.roles, paths.sessions])
      writeFileSync(path, `# first\n${readFileSync(path, "utf8")}not a row\n# last`);
    await write([{ ...po, role: "dev" as Role }], viewsOf(roleRow("t:0.0", "dev"), roleRow("t:0.1", "qa")));
    for (const path of [paths.roster, paths.roles, paths.sessions]) {
      const text = readFileSync(path, "utf8");
      expect(text).toMatch(/^# first\n[\s\S]*not a row\n# last(\n|$)/);
      expect(text.match(/# views/g)?.length ?? 0).toBe(path === paths.roster ? 1 : 0);
    }
    expect(problems()).toHaveLength(3);
  });

  test("[RSF5] does not overwrite an edit made meanwhile", async () => {
    const { roster, paths, write } = open();
    await write([po], viewsOf(roleRow("t:0.0", "po")));
    await roster.update(async () => {
      appendFileSync(paths.roles, "t:0.9|late|5\n");
      return { agents: [po], views: viewsOf(roleRow("t:0.0", "dev")), afterCommit: async () => {} };
    });
    expect(readFileSync(paths.roles, "utf8")).toContain("late");
    const { edits } = await write([po], viewsOf(roleRow("t:0.0", "dev"), roleRow("t:0.9", "late")));
    expect(edits.roles).toEqual([roleRow("t:0.9", "late")]);
    expect(readFileSync(paths.roles, "utf8")).toBe("t:0.0|dev|5\nt:0.9|late|5\n");
  });

  test("[RSF2] whichever process is killed, the next change finds an edit, and no later one does", async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("edit" as const) }),
      fc.record({ do: fc.constant("change" as const), killedAt: fc.constantFrom(0, 1, 2, 3, 4, 5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { roster, paths, killed } = open();
        const pending: RoleRow[] = [];
        let isEdited = false;
        for (const [at, each] of steps.entries()) {
          const row = roleRow(`t:0.${at}`, "x");
          if (each.do === "edit") {
            appendFileSync(paths.roles, `${row.pane}|x|5\n`);
            pending.push(row);
            isEdited = true;
          } else {
            const found = await killed(each.killedAt, [{ ...po, epoch: at }], viewsOf(row));
            expect(found.edits.roles).toEqual(expect.arrayContaining(pending));
            if (!isEdited) expect(found.edits.roles).toEqual([]);
            if (each.killedAt > 0) pending.length = 0;
            if (each.killedAt > 0) isEdited = false;
          }
          expect(roster.read().edits.roles).toEqual(expect.arrayContaining(pending));
        }
      }),
      { numRuns: 40 },
    );
  });
});
