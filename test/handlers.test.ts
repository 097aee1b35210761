import { describe, expect, test } from "vitest";
import { emitAll } from "../src/events/bus.js";
import type { HiveEvent } from "../src/events/event.js";
import { handlerTable } from "../src/handlers.js";
import { type Hive, openHive } from "../src/hive/hive.js";
import type { Role, SessionId, TeamName } from "../src/names/gates.js";
import { openFollower, type ViewerFollower } from "../src/viewer/follow.js";
import { tmuxTeam } from "./command.js";
import { contentsOf } from "./contents.js";
import { endedTeam, knownAgents, rolesIn } from "./ended-team.js";
import { type TestHome, testHome } from "./home.js";

const [first, second] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
] as SessionId[];
const [a, b] = ["a", "b"] as TeamName[];

function open(home: TestHome): Hive {
  tmuxTeam(home, "a", 3);
  return openHive({ env: home.env });
}

/** The rows as a person would read them, without times. */
function rowsOf({ stores }: Hive) {
  return {
    S3: stores.teams.read().rows.map(({ team, description }) => `${team} ${description}`),
    S5: [...stores.forks.scan()].map(
      ({ pane, uuid, parent }) => `${pane} ${uuid?.slice(0, 2)} ${parent?.slice(0, 2)}`,
    ),
    S7: stores.activeTeam.read(),
    S9: stores.sizeLocks.read().rows.map(({ team }) => `${team}`),
  };
}

test("[HA1] the table has the stores of each event, in that order", () => {
  const table = handlerTable({} as Hive["stores"], {} as Hive["tmux"], {} as ViewerFollower);
  const stores = Object.fromEntries(
    Object.entries(table).map(([name, handlers]) => [name, handlers.map(({ store }) => store).join(" ")]),
  );
  expect(stores).toEqual({
    "agent.renamed": "title",
    "team.created": "S3 S8",
    "team.destroyed": "S8 S3",
    "team.restored": "S3 S8",
    "session.forked": "S5",
    "team.renamed": "S7 S8 S9 S10 S3",
  });
});

describe("[HA1] the rows that each event leaves in the stores", () => {
  const created: HiveEvent = { name: "team.created", team: a!, description: "d" };
  test.each<[string, HiveEvent[], Partial<ReturnType<typeof rowsOf>>]>([
    ["created", [created], { S3: ["a d"] }],
    [
      "restored: a description stays",
      [created, { name: "team.restored", team: a!, snapshot: "x" }],
      { S3: ["a d"] },
    ],
    ["destroyed", [created, { name: "team.destroyed", team: a! }], { S3: [] }],
    [
      "a copied session",
      [{ name: "session.forked", parent: first!, child: second! }],
      { S5: ["null b6 15"] },
    ],
    ["renamed", [created, { name: "team.renamed", old: a!, new: b! }], { S3: ["b d"], S7: b!, S9: ["b"] }],
  ])("[HA1] %s", async (_, events, expected) => {
    const hive = open(testHome());
    await hive.stores.activeTeam.write(a!);
    await hive.stores.sizeLocks.update(() => [{ team: a!, width: 90, height: 40 }]);
    for (const event of events) await hive.emit(event);
    expect(rowsOf(hive)).toMatchObject(expected);
  });

  test("[HA1] a new role becomes the title of its pane", async () => {
    const home = testHome();
    const hive = open(home);
    await endedTeam(hive, a!);
    await hive.change(({ agents }) => ({
      agents: agents.map((agent) => (agent.role === "r1" ? { ...agent, role: "qa" as Role } : agent)),
    }));
    expect(home.tmux("display-message", "-p", "-t", "=a:0.1", "#{pane_title}").trim()).toBe("qa");
    expect(rolesIn(hive)).toEqual(["a:0.0 r0", "a:0.1 qa", "a:0.2 r2"]);
  });
});

test("[HA2] the same event again writes nothing", async () => {
  const home = testHome();
  const hive = open(home);
  const created: HiveEvent = { name: "team.created", team: a!, description: "d" };
  await hive.emit(created);
  const { "hivemind.events.log": _, ...before } = contentsOf(home.config);
  await hive.emit(created);
  await hive.emit({ name: "team.restored", team: a!, snapshot: "x" });
  const { "hivemind.events.log": __, ...after } = contentsOf(home.config);
  expect(after).toEqual(before);
});

test("[HA3] a rename stops at an unwritable store, and the next change finishes it", async () => {
  const home = testHome();
  const hive = open(home);
  await endedTeam(hive, a!);
  await hive.stores.sizeLocks.update(() => [{ team: a!, width: 90, height: 40 }]);
  await hive.stores.activeTeam.write(a!);
  const before = knownAgents(hive);
  const writes = { activeTeam: "write", sizeLocks: "update", layouts: "rename", teams: "update" } as const;
  for (const [at, [store, write]] of Object.entries(writes).entries()) {
    const [from, to] = at % 2 === 0 ? [a!, b!] : [b!, a!];
    home.tmux("rename-session", "-t", `=${from}`, to);
    const real = hive.stores[store as keyof typeof writes];
    const fail = async () => {
      throw new Error("no space left");
    };
    const handlers = handlerTable(
      { ...hive.stores, [store]: { ...real, [write]: fail } },
      hive.tmux,
      openFollower(hive.viewerWorld, () => {}),
    );
    const failures = await emitAll({ log: () => {}, handlers }, [
      { name: "team.renamed", old: from, new: to },
    ]);
    expect(
      failures.map(({ error }) => String(error)),
      store,
    ).toEqual(["Error: no space left"]);
    await hive.change();
    expect(rowsOf(hive), store).toMatchObject({ S3: [`${to} d`], S7: to, S9: [to] });
    expect(knownAgents(hive), store).toEqual(before);
    expect(rolesIn(hive)[0], store).toBe(`${to}:0.0 r0`);
  }
});
