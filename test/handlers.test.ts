import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Handler, openBus } from "../src/events/bus.js";
import type { EventName, HiveEvent } from "../src/events/event.js";
import { keyedRows, planMoves } from "../src/fleet/moves.js";
import type { FleetPane } from "../src/fleet/panes.js";
import { handlerTable } from "../src/handlers.js";
import { type Hive, openHive } from "../src/hive.js";
import { enqueue } from "../src/messages/send.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../src/names/gates.js";
import { historyOf, receipt } from "../src/stores/receipts.js";
import { openFollower, type ViewerFollower } from "../src/viewer/follow.js";
import { tmuxTeam } from "./command.js";
import { contentsOf } from "./contents.js";
import { endedTeam, knownRoles } from "./ended-team.js";
import { type TestHome, testHome } from "./home.js";
import { fixturePrograms } from "./stores/programs.js";

const first = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const second = "b63de03a-6d49-5f14-9be3-0aac60a859ed" as SessionId;
const at = (place: string) => `a:${place}` as PaneAddress;
const [po, dev] = ["po" as Role, "dev" as Role];
const [a, b] = ["a" as TeamName, "b" as TeamName];

function open(home: TestHome): Hive {
  tmuxTeam(home, "a", 3);
  return openHive({ env: home.env });
}

/** The rows as a person would read them, without times. */
function rowsOf({ stores }: Hive) {
  return {
    S1: stores.roles.read().rows.map(({ pane, role }) => `${pane} ${role}`),
    S2: stores.sessions.read().rows.map(({ pane, uuid }) => `${pane} ${uuid.slice(0, 2)}`),
    S3: stores.teams.read().rows.map(({ team, description }) => `${team} ${description}`),
    S5: [...stores.forks.scan()].map(
      ({ pane, uuid, parent }) => `${pane} ${uuid?.slice(0, 2)} ${parent?.slice(0, 2)}`,
    ),
    S6: stores.queues
      .panes()
      .flatMap((pane) => stores.queues.read(pane).messages.map(({ text }) => `${pane} ${text}`)),
    S7: stores.activeTeam.read(),
  };
}

const marksOf = (home: TestHome) =>
  home
    .tmux("list-panes", "-s", "-t", "=a:", "-F", "#{window_index}.#{pane_index} #{@hivemind}")
    .replace(/\n$/, "")
    .split("\n");

test("[HA1] the table has the stores of each event, in that order", () => {
  const table = handlerTable({} as Hive["stores"], {} as Hive["tmux"], {} as ViewerFollower);
  const stores = Object.fromEntries(
    Object.entries(table).map(([name, handlers]) => [name, handlers.map(({ store }) => store).join(" ")]),
  );
  expect(stores).toEqual({
    "agent.spawned": "S1 S2 mark",
    "agent.killed": "S6 holds S2 S1 mark",
    "agent.renamed": "S1 title mark",
    "agent.forked": "S1 S5 S2 mark",
    "panes.shifted": "rekey S1 S2 S6 holds mark rekey",
    "panes.swapped": "rekey S1 S2 S6 holds mark rekey",
    "pane.moved": "rekey S1 S2 S6 holds mark rekey",
    "team.created": "S3 S8",
    "team.destroyed": "S6 holds S2 S1 mark S8 S3",
    "team.restored": "S3 S6 S8",
    "session.changed": "moved S5 S2",
    "session.dropped": "S5 S2",
    "session.forked": "S5",
    "team.renamed": "S1 S2 S6 S7 S8 S9 S10 holds S3 mark",
  });
});

describe("[HA1] what each event leaves in the stores", () => {
  const spawned: HiveEvent[] = [
    { name: "agent.spawned", pane: at("0.0"), role: po, uuid: first },
    { name: "agent.spawned", pane: at("0.1"), role: dev, uuid: null },
  ];
  const check = (title: string, events: HiveEvent[], expected: Partial<ReturnType<typeof rowsOf>>) =>
    test(`[HA1] ${title}`, async () => {
      const hive = open(testHome());
      await hive.stores.activeTeam.write(a);
      for (const event of spawned) await hive.emit(event);
      await hive.stores.queues.append(at("0.0"), "inform", "hello");
      for (const event of events) await hive.emit(event);
      expect(rowsOf(hive)).toMatchObject(expected);
    });

  check("spawned: role and, where known, session", [], { S1: ["a:0.0 po", "a:0.1 dev"], S2: ["a:0.0 15"] });
  check("killed", [{ name: "agent.killed", pane: at("0.0") }], { S1: ["a:0.1 dev"], S2: [], S6: [] });
  check("renamed", [{ name: "agent.renamed", pane: at("0.1"), old: dev, new: "qa" as Role }], {
    S1: ["a:0.0 po", "a:0.1 qa"],
  });
  check("forked", [{ name: "agent.forked", pane: at("0.1"), role: dev, parent: first, child: second }], {
    S2: ["a:0.0 15", "a:0.1 b6"],
    S5: ["a:0.1 b6 15"],
  });
  check("shifted", [{ name: "panes.shifted", team: a, moves: [{ from: at("0.0"), to: at("0.2") }] }], {
    S1: ["a:0.1 dev", "a:0.2 po"],
    S2: ["a:0.2 15"],
    S6: ["a:0.2 hello"],
  });
  check("swapped", [{ name: "panes.swapped", team: a, a: at("0.0"), b: at("0.1") }], {
    S1: ["a:0.0 dev", "a:0.1 po"],
    S2: ["a:0.1 15"],
    S6: ["a:0.1 hello"],
  });
  check("moved", [{ name: "pane.moved", from: at("0.0"), to: "b:0.0" as PaneAddress }], {
    S1: ["a:0.1 dev", "b:0.0 po"],
    S6: ["b:0.0 hello"],
  });
  check("changed", [{ name: "session.changed", pane: at("0.0"), old: first, new: second, cause: "clear" }], {
    S2: ["a:0.0 b6"],
    S5: ["a:0.0 b6 15"],
  });
  check("dropped", [{ name: "session.dropped", pane: at("0.0"), uuid: first, state: "broken" }], {
    S1: ["a:0.0 po", "a:0.1 dev"],
    S2: [],
    S5: ["a:0.0 15 undefined"],
  });
  check(
    "dropped, where it was not seen: the row of S5 does not say that it was there",
    [{ name: "session.dropped", pane: at("0.0"), uuid: first, state: "stale" }],
    { S2: [], S5: ["null 15 undefined"] },
  );
  check(
    "created, restored: a description stays",
    [
      { name: "team.created", team: a, description: "d" },
      { name: "team.restored", team: a, snapshot: "x" },
    ],
    { S3: ["a d"] },
  );
  check(
    "destroyed",
    [
      { name: "team.created", team: a, description: "d" },
      { name: "team.destroyed", team: a },
    ],
    { S1: [], S2: [], S3: [], S6: [] },
  );
  check(
    "team renamed",
    [
      { name: "team.created", team: a, description: "d" },
      { name: "team.renamed", old: a, new: b },
    ],
    { S1: ["b:0.0 po", "b:0.1 dev"], S2: ["b:0.0 15"], S3: ["b d"], S6: ["b:0.0 hello"], S7: b },
  );
});

test("[HA2] the same event again writes nothing", async () => {
  const home = testHome();
  const hive = open(home);
  const events: HiveEvent[] = [
    { name: "team.created", team: a, description: "d" },
    { name: "agent.spawned", pane: at("0.0"), role: po, uuid: first },
    { name: "agent.renamed", pane: at("0.0"), old: po, new: dev },
  ];
  for (const event of events) await hive.emit(event);
  const { "hivemind.events.log": _, ...before } = contentsOf(home.config);
  await hive.emit(events[0]!);
  await hive.emit({ name: "agent.spawned", pane: at("0.0"), role: dev, uuid: first });
  const { "hivemind.events.log": __, ...after } = contentsOf(home.config);
  expect(after).toEqual(before);
});

test("[HA3] a registered pane carries its id, address and role, through swaps too", async () => {
  const home = testHome();
  const hive = open(home);
  await hive.emit({ name: "agent.spawned", pane: at("0.0"), role: po, uuid: null });
  await hive.emit({ name: "agent.spawned", pane: at("0.1"), role: dev, uuid: null });
  expect(marksOf(home)).toEqual([
    expect.stringMatching(/^0\.0 %\d+\|a:0\.0\|po$/),
    expect.stringMatching(/^0\.1 %\d+\|a:0\.1\|dev$/),
    "0.2 ",
  ]);
  home.tmux("swap-pane", "-d", "-s", "=a:0.0", "-t", "=a:0.1");
  await hive.emit({ name: "panes.swapped", team: a, a: at("0.0"), b: at("0.1") });
  expect(marksOf(home)).toEqual([
    expect.stringMatching(/^0\.0 .*a:0\.0\|dev$/),
    expect.stringMatching(/^0\.1 .*a:0\.1\|po$/),
    "0.2 ",
  ]);
  expect((await hive.panes()).shifts.moved.size).toBe(0);
  await hive.emit({ name: "agent.killed", pane: at("0.0") });
  expect(marksOf(home)[0]).toBe("0.0 ");
});

test("[HA1] what waits for a pane that came to stand where another was killed stays (incident 45)", async () => {
  const home = testHome();
  const hive = open(home);
  const waiting = () => rowsOf(hive).S6;
  await hive.emit({ name: "agent.spawned", pane: at("0.0"), role: po, uuid: null });
  const gone = await hive.panes();
  await enqueue(hive, gone, gone.panes[0]!, "inform", "for po");
  home.tmux("kill-pane", "-t", "=a:0.0");
  const now = await hive.panes();
  await enqueue(hive, now, now.panes[0]!, "inform", "for who moved up");
  await hive.emit({ name: "agent.killed", pane: at("0.0") });
  expect(waiting()).toEqual(["a:0.0 for who moved up"]);
  await hive.emit({ name: "agent.killed", pane: at("0.0") });
  expect(waiting()).toEqual([]);
});

test("[QR3] a message that moves never gets the id of one that was said there (incident 45)", async () => {
  const home = testHome();
  const hive = open(home);
  const { queues, receipts } = hive.stores;
  const { message } = await queues.append(at("0.1"), "inform", "not said yet");
  const taken = `${at("0.0")}@${message.stamp}` as const;
  await receipts.append([receipt(taken, "queued"), receipt(taken, "accepted")]);
  await hive.emit({ name: "panes.shifted", team: a, moves: [{ from: at("0.1"), to: at("0.0") }] });
  const [moved] = queues.read(at("0.0")).messages;
  expect(moved).toMatchObject({ text: "not said yet" });
  expect(historyOf(receipts.read().rows, moved!.id).map(({ step }) => step)).not.toContain("accepted");
});

test("[QH4] what waits for a team that was brought back follows the pane that has no name, too (incident 45)", async () => {
  const home = testHome();
  const hive = open(home);
  await hive.stores.queues.append(at("0.1"), "inform", "from before the server died");
  await hive.emit({ name: "team.restored", team: a, snapshot: "x" });
  await hive.emit({ name: "team.restored", team: a, snapshot: "x" });
  expect(hive.stores.receipts.read().rows).toHaveLength(1);
  home.tmux("swap-pane", "-d", "-s", "=a:0.1", "-t", "=a:0.2");
  await hive.refreshAll();
  expect(rowsOf(hive).S6).toEqual(["a:0.2 from before the server died"]);
});

describe("[HA7] a session is in S2 only when all else that there is to say of it is written", () => {
  const changed = { name: "session.changed", pane: at("0.0"), old: first, new: second } as const;
  const forked = { name: "agent.forked", pane: at("0.0"), role: po, parent: first, child: second } as const;
  test.each<[string, HiveEvent, Partial<Record<keyof Hive["stores"], string>>]>([
    ["forked, where S5", forked, { forks: "append" }],
    ["changed, where S5", { ...changed, cause: "clear" }, { forks: "append" }],
    ["changed, where what team files go by", { ...changed, cause: "clear" }, { projects: "read" }],
  ])("[HA7] %s cannot be written", async (_, event, writes) => {
    const hive = open(testHome());
    await hive.emit({ name: "agent.spawned", pane: at("0.0"), role: po, uuid: first });
    const fail = () => {
      throw new Error("no space left");
    };
    const [[store, write]] = Object.entries(writes) as [[keyof Hive["stores"], string]];
    const stores = { ...hive.stores, [store]: { ...hive.stores[store], [write]: fail } };
    const handlers = handlerTable(
      stores,
      hive.tmux,
      openFollower(hive.viewerWorld, () => {}),
    );
    expect(await openBus({ log: () => {}, handlers }).emit(event)).toHaveLength(1);
    expect(rowsOf(hive).S2).toEqual(["a:0.0 15"]);
    await hive.emit(event);
    expect(rowsOf(hive)).toMatchObject({ S2: ["a:0.0 b6"], S5: ["a:0.0 b6 15"] });
  });
});

describe("[HA6] a store that cannot be written", () => {
  const swap = (home: TestHome) => home.tmux("swap-pane", "-d", "-s", "=a:0.0", "-t", "=a:0.1");
  const rename = (home: TestHome) => {
    const [now] = home.tmux("list-sessions", "-F", "#{session_name}").split("\n");
    home.tmux("rename-session", "-t", `=${now}`, now === "a" ? "b" : "a");
  };
  const rowFiles = { roles: "update", sessions: "update", holds: "update", queues: "rearrange" };

  test.each([
    ["panes that changed places", swap, { rekeying: "begin", ...rowFiles }],
    ["a new name", rename, { ...rowFiles, sizeLocks: "update", layouts: "rename", teams: "update" }],
  ])(
    "[HA6] %s follow as far as there, and once, to the end, when it can be (incident 45)",
    async (_, act, writes) => {
      const home = testHome();
      const hive = open(home);
      await endedTeam(hive, a);
      await hive.stores.holds.update(() => [
        { pane: at("0.1"), word: "HELD", since: "2026-11-15T09:00:00Z", by: "me r1" },
      ]);
      await hive.stores.sizeLocks.update(() => [{ team: a, width: 90, height: 40 }]);
      const before = await knownRoles(hive);
      for (const [store, write] of Object.entries(writes)) {
        const fail = () => {
          throw new Error("no space left");
        };
        const real = hive.stores[store as keyof typeof hive.stores];
        const stores = { ...hive.stores, [store]: { ...real, [write]: fail } };
        const handlers = handlerTable(
          stores,
          hive.tmux,
          openFollower(hive.viewerWorld, () => {}),
        );
        act(home);
        const { events } = planMoves(await hive.panes(), keyedRows(hive.stores));
        const failures = await openBus({ log: () => {}, handlers }).emitAll(events);
        expect(
          failures.map(({ error }) => String(error)),
          store,
        ).toEqual(["Error: no space left"]);
        expect((await hive.panes()).shifts.moved.size, store).toBeGreaterThan(0);
        await hive.refreshAll();
        expect(await knownRoles(hive), store).toEqual(before);
        expect((await hive.panes()).shifts.moved.size, store).toBe(0);
        const [{ sessionName }] = (await hive.panes()).panes as [FleetPane];
        for (const { read } of [hive.stores.teams, hive.stores.sizeLocks])
          expect(read().rows, store).toMatchObject([{ team: sessionName }]);
      }
      expect(existsSync(hive.paths.rekeyFolder) ? readdirSync(hive.paths.rekeyFolder) : []).toEqual([]);
    },
  );
});

test.each<HiveEvent>([
  { name: "agent.killed", pane: at("0.1") },
  { name: "team.destroyed", team: a },
])(
  "[HA5] killed between any two stores of $name, no row of a pane that is gone outlives the next refresh",
  async (event) => {
    const home = testHome();
    tmuxTeam(home, "a", 8);
    const hive = openHive({ env: home.env });
    const table = handlerTable(hive.stores, hive.tmux, {
      removed: async () => {},
    } as unknown as ViewerFollower);
    const handlers = table[event.name] as readonly Handler<EventName>[];
    for (const done of handlers.keys()) {
      await hive.emit({ name: "team.created", team: a, description: "d" });
      await hive.emit({ name: "agent.spawned", pane: at("0.0"), role: po, uuid: first });
      await hive.emit({ name: "agent.spawned", pane: at("0.1"), role: dev, uuid: second });
      // Who moves up carries no mark: only the rows tell that another was there.
      home.tmux("kill-pane", "-t", "=a:0.1");
      for (const { run } of handlers.slice(0, done)) await run(event);
      await hive.refresh(a);
      const { S1, S2 } = rowsOf(hive);
      expect(
        [...S1, ...S2].filter((row) => row.startsWith("a:0.1 ")),
        `${done} stores`,
      ).toEqual([]);
    }
  },
);

describe("[HA4] killed while panes are followed", () => {
  const program = fixturePrograms("../handlers/killed-follower");
  const follower = (home: TestHome, moment: number) =>
    spawnSync(process.execPath, [program("killed-follower"), String(moment)], { env: home.env });

  async function ended(home: TestHome): Promise<Hive> {
    const hive = open(home);
    await endedTeam(hive, a);
    await hive.stores.queues.append(at("0.0"), "inform", "written by hand for r0");
    await hive.stores.holds.update(() => [
      { pane: at("0.1"), word: "HELD", since: "2026-11-15T09:00:00Z", by: "me r1" },
    ]);
    return hive;
  }

  test.each([
    ["and nothing moved since", () => {}],
    [
      "and they moved again since",
      (home: TestHome) => home.tmux("swap-pane", "-d", "-s", "=a:0.1", "-t", "=a:0.2"),
    ],
  ])("[HA4] everything has followed its pane once, %s (incident 45)", async (_, meanwhile) => {
    const home = testHome();
    const hive = await ended(home);
    const before = await knownRoles(hive);
    expect(before.r0.messages).toEqual(["for r0", "and for r0", "written by hand for r0"]);
    let moment = 0;
    for (let isKilled = true; isKilled; moment++) {
      home.tmux("swap-pane", "-d", "-s", "=a:0.0", "-t", "=a:0.1");
      isKilled = follower(home, moment).signal === "SIGKILL";
      meanwhile(home);
      await hive.whileChanging(a, () => hive.refresh(a));
      expect(await knownRoles(hive), `at moment ${moment}`).toEqual(before);
      expect((await hive.panes()).shifts.moved.size).toBe(0);
    }
    expect(moment).toBeGreaterThan(14);
    expect(readdirSync(hive.paths.rekeyFolder)).toEqual([]);
  });

  test("[HA4] a renamed team has followed its tmux session once", async () => {
    const home = testHome();
    const hive = await ended(home);
    const before = await knownRoles(hive);
    const names = ["a", "b"];
    let moment = 0;
    for (let isKilled = true; isKilled; moment++) {
      const [from, to] = moment % 2 === 0 ? names : names.toReversed();
      home.tmux("rename-session", "-t", `=${from}`, to!);
      isKilled = follower(home, moment).signal === "SIGKILL";
      await hive.refreshAll();
      expect(await knownRoles(hive), `at moment ${moment}`).toEqual(before);
      expect(hive.stores.teams.read().rows, `at moment ${moment}`).toEqual([{ team: to, description: "d" }]);
    }
    expect(moment).toBeGreaterThan(10);
  });
});
