// A team that moves for good: what is ended here, and when. The test itself plays the other host.

import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { packTeam } from "../../src/hosts/departure.js";
import { migrateTeam } from "../../src/hosts/migrate.js";
import { overSsh, type Target } from "../../src/hosts/target.js";
import type { Far } from "../../src/hosts/wire/far.js";
import type { Message, Wire } from "../../src/hosts/wire/wire.js";
import type { Host, TeamName } from "../../src/names/gates.js";
import type { Manifest } from "../../src/stores/text/bundle.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { panesOf, startFleet } from "../teams/fleets.js";

const oneAgent = { web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead"] }] };

/** Takes every file of a bundle and gives the prepared answers; keeps the last files. */
function farSide(answer: (question: string) => Message | Promise<Message>) {
  const asked: string[] = [];
  const box = { text: "" };
  const far: Far = {
    host: "beta" as Host,
    greeting: { protocol: 1, version: "x", tmuxTrouble: null },
    async ask(request, hear) {
      asked.push(String(request.ask));
      if (request.ask === "receive") {
        const paths = (request.page as Manifest).files.map(({ path }) => path);
        box.text = "";
        const sendBytes = async (bytes: AsyncIterable<Buffer>) => {
          for await (const piece of bytes) box.text += piece;
        };
        await hear?.({ is: "wanting", paths }, { sendBytes } as Wire);
      }
      return answer(String(request.ask));
    },
  };
  return { far: overSsh(far), asked, box };
}

/** An outcome with started agents. */
function startedAs(roles: readonly string[]) {
  const nothing = { failed: [], left: [], refused: [], asking: [], notReached: 0 };
  const started = roles.map((role) => ({ pane: "web:0.0", role, remark: null, waitsFor: null }));
  return { team: "web", source: "a box", isBuilt: true, ...nothing, started };
}

async function migrate(home: TestHome, far: Target, isFork: boolean | null = null) {
  const choice = { team: "web" as TeamName, maps: [], isFork, isDown: true };
  const hive = openHive({ env: home.env });
  const voice = { progress: () => {}, note: () => {} };
  const world = { ...hive.teamWorld(voice), whileChanging: hive.whileChanging };
  return migrateTeam({ world, far, choice, onBytes: () => {} }, await packTeam(world, choice));
}

const running = (home: TestHome) =>
  Object.fromEntries(
    panesOf(home).flatMap(({ role, uuid, kind, paneId }) =>
      kind === "demo" && paneId !== null ? [[role!, uuid]] : [],
    ),
  );

test("a team that would not start completely there continues here", async () => {
  const home = testHome();
  await startFleet(home, oneAgent);
  const before = running(home);
  const refusal = { pane: "web:0.0", role: "lead", why: "there is no folder /x", hint: "mkdir -p /x" };
  const { far, asked } = farSide((question) => (question === "plan" ? { refused: [refusal] } : {}));
  await expect(migrate(home, far)).rejects.toMatchObject({
    message: "beta would not start web:0.0 (lead): there is no folder /x; web continues here",
    hint: "on beta: mkdir -p /x",
  });
  expect(asked).toEqual(["look", "receive", "plan"]);
  expect(running(home)).toEqual(before);
});

async function say(home: TestHome, words: string) {
  home.tmux("send-keys", "-t", "=web:0.0", words, "Enter");
  const written = () => JSON.stringify(contentsOf(join(home.claude, "projects")));
  await until("they are written down", () => written().includes(words));
}

async function clear(home: TestHome) {
  const before = running(home).lead;
  home.tmux("send-keys", "-t", "=web:0.0", "/clear", "Enter");
  await until("another conversation", () => running(home).lead !== before);
}

async function spawn(home: TestHome) {
  const args = ["agent", "spawn", "helper", "--team", "web", "--kind", "demo"];
  expect(hivemind(home, args)).toMatchObject({ code: 0 });
}

/** As `team restart` would restore it. */
function savedLast(home: TestHome) {
  const { snapshots } = openHive({ env: home.env }).stores;
  const { rows } = snapshots.read(snapshots.list()[0]!.path);
  return Object.fromEntries(rows.map(({ role, uuid }) => [role, uuid]));
}

test("changes during the transfer are sent too: the final conversations and new agents", async () => {
  const home = testHome();
  await startFleet(home, oneAgent);
  // One change during a long transfer, the other at the last moment.
  const deeds = [clear, spawn];
  let atEnd = {};
  const { far, asked, box } = farSide(async (question) => {
    if (question === "plan" && deeds.length === 0) await say(home, "last words");
    if (question === "receive" || question === "plan") await deeds.pop()?.(home);
    if (question === "plan") atEnd = running(home);
    return question === "start" ? { outcomes: [startedAs(["lead", "helper"])] } : {};
  });
  await migrate(home, far);
  expect(Object.keys(atEnd).sort()).toEqual(["helper", "lead"]);
  // The other host has planned with the final state, not with an earlier one.
  const sent = ["look", "receive", "plan"];
  expect(asked).toEqual([...sent, ...sent, "receive", "start"]);
  expect(running(home)).toEqual({});
  expect(savedLast(home)).toEqual(atEnd);
  expect(box.text).toContain("last words");
  for (const [role, uuid] of Object.entries(atEnd)) expect(box.text).toContain(`|${role}|${uuid}|`);
});

test("if forks were sent, later records here are saved before the team ends", async () => {
  const home = testHome();
  await startFleet(home, oneAgent);
  let atEnd = {};
  const { far } = farSide(async (question) => {
    if (question !== "start") return {};
    await clear(home);
    atEnd = running(home);
    return { outcomes: [startedAs(["lead"])] };
  });
  await migrate(home, far, true);
  expect(running(home)).toEqual({});
  expect(savedLast(home)).toEqual(atEnd);
});

test.each([
  ["no outcome", []],
  ["an outcome without agents", [startedAs([])]],
])("a host that answers with %s does not end the team here", async (_, outcomes) => {
  const home = testHome();
  await startFleet(home, oneAgent);
  const before = running(home);
  const { far } = farSide((question) => (question === "start" ? { outcomes } : {}));
  expect(await migrate(home, far, true)).toMatchObject({ untold: 1 });
  expect(running(home)).toEqual(before);
});
