// A team moves to another host and back, over a real sshd.

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, until } from "../home.js";
import { type FleetSpec, panesOf, startFleet } from "../teams/fleets.js";
import { idOf, transcriptPath, user, writeTranscript } from "../transcripts/files.js";
import { type TestHost, testHosts } from "./hosts.js";

const twoAgents: FleetSpec = {
  web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "-", "builder"] }],
};
const oneAgent: FleetSpec = { web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead"] }] };

/** A team of the other host, with its own conversation. */
function teamThere(home: TestHome, team: string): void {
  const made = hivemind(home, ["team", "setup", team, "owner", "--kind", "demo", "--cwd", home.work]);
  expect(made).toMatchObject({ code: 0 });
  expect(hivemind(home, ["send", "owner", "--wait", "hello"]).code).toBe(0);
}

/** The folders of the agents exist on both hosts, each under its own path. */
function sameFolders(from: TestHome, to: TestHome): string {
  for (const name of readdirSync(from.work)) mkdirSync(join(to.work, name), { recursive: true });
  return `${from.work}=${to.work}`;
}

function migrate(from: TestHost, ...args: string[]) {
  return hivemind(from, ["team", "migrate", ...args]);
}

test("the first team on a host without a tmux server brings back its watcher", async () => {
  const { alpha, beta } = await testHosts();
  onTestFinished(() => void hivemind(beta, ["watch", "--stop"]));
  await startFleet(alpha, oneAgent);
  const wish = join(beta.config, "hivemind.watch.env");
  mkdirSync(beta.config, { recursive: true });
  writeFileSync(wish, "watch|background\nevery|1\n");
  const there = sameFolders(alpha, beta);
  expect(migrate(alpha, "web", "beta", "--map", there)).toMatchObject({ code: 0 });
  await until("its watcher", () => hivemind(beta, ["watch", "--status"]).code === 0);
  expect(json(beta, ["watch", "--status"])).toMatchObject({
    watcher: { how: "background", options: ["--every", "1"] },
  });
});

const uuids = (home: TestHome, team: string) =>
  Object.fromEntries(
    panesOf(home).flatMap(({ pane, role, uuid }) =>
      pane.startsWith(`${team}:`) && role ? [[role, uuid]] : [],
    ),
  );

const idsOf = (home: TestHome, team: string) =>
  Object.fromEntries(
    panesOf(home).flatMap(({ pane, role, agent }) =>
      pane.startsWith(`${team}:`) && role ? [[role, agent]] : [],
    ),
  );

const forksOf = (home: TestHome) => join(home.config, "hivemind.forks.env");

const rowsOf = (home: TestHome, team: string) =>
  ["roles", "sessions", "teams"].map((store) =>
    readFileSync(join(home.config, `hivemind.${store}.env`), "latin1")
      .split("\n")
      .filter((line) => !line.startsWith(team)),
  );

test("there and back: the same conversations in each host's folders, other teams unchanged, no secrets moved (incident 13) (incident 14)", async () => {
  const { alpha, beta } = await testHosts();
  await startFleet(alpha, twoAgents);
  teamThere(beta, "api");
  for (const store of ["roles", "sessions", "teams"]) {
    appendFileSync(join(beta.config, `hivemind.${store}.env`), "# a remark\nno|row|at|all|of|any|kind\n");
  }
  const secrets = [
    [alpha.config, "credentials.env"],
    [alpha.config, "hivemind.accounts.env.bak"],
    [alpha.claude, ".credentials.json"],
    [join(alpha.claude, "projects"), "notes.txt"],
  ] as const;
  for (const [folder, name] of secrets) writeFileSync(join(folder, name), "canary-of-alpha");
  expect(hivemind(alpha, ["agent", "fork", "builder", "--as", "second"]).code).toBe(0);
  expect(hivemind(alpha, ["send", "second", "--wait", "and", "you"]).code).toBe(0);
  const before = uuids(alpha, "web");
  const ids = idsOf(alpha, "web");
  expect(new Set(Object.values(ids)).size).toBe(3);
  // Only this row knows of a deleted session.
  const gone = `builder|${before.builder}|stable|${idOf(77)}`;
  appendFileSync(forksOf(alpha), `2026-01-01T00:00:00Z|web:0.2|${gone}\n`);
  const known = (home: TestHome) =>
    readFileSync(forksOf(home), "utf8")
      .split("\n")
      .filter((row) => row.includes(gone));
  const [others, owner] = [rowsOf(beta, "web"), uuids(beta, "api")];

  const there = sameFolders(alpha, beta);
  const went = migrate(alpha, "web", "beta", "--down", "--map", there);
  expect(went).toMatchObject({ code: 0 });
  expect(went.stderr).toContain("web has ended here");
  // It starts there from the snapshot that was printed last.
  const printed = [...went.stderr.matchAll(/saved web: \S+\/(hivemind\.snapshot\.\S+\.env)/g)].at(-1)![1]!;
  expect(readFileSync(join(beta.config, "hivemind.events.log"), "utf8")).toContain(
    `team.restored|web ${printed}`,
  );
  expect(uuids(beta, "web")).toEqual(before);
  expect(idsOf(beta, "web")).toEqual(ids);
  expect(panesOf(alpha).filter(({ paneId }) => paneId !== null)).toEqual([]);
  // Here they are away, so that they can come back.
  expect(idsOf(alpha, "web")).toEqual(ids);
  for (const [role, uuid] of Object.entries(before)) {
    const folder = join(beta.work, `web.${role === "second" ? "builder" : role}`);
    const path = join(beta.claude, "projects", projectSlug(folder), `${uuid}.jsonl`);
    expect(readFileSync(path, "utf8")).toContain(`"cwd":"${folder}"`);
    expect(readFileSync(path, "utf8")).not.toContain(alpha.root);
  }
  expect(rowsOf(beta, "web")).toEqual(others);
  expect(uuids(beta, "api")).toEqual(owner);
  expect(readdirSync(join(beta.config, "otmux"))).toEqual(["web.layout.env"]);
  expect(JSON.stringify(contentsOf(beta.root))).not.toContain("canary-of-alpha");
  const parents = (home: TestHome) =>
    json<{ rows: { parent: string }[] }>(home, ["forks", "list", "--uuid", before.second!]).rows.map(
      ({ parent }) => parent,
    );
  expect(new Set(parents(beta))).toEqual(new Set([before.builder]));
  expect(known(beta)).toEqual([`2026-01-01T00:00:00Z||${gone}`]);

  expect(hivemind(beta, ["send", "lead", "--wait", "said", "on", "beta"]).code).toBe(0);
  const lineage = parents(alpha);
  const back = migrate(beta, "web", "alpha", "--down", "--map", `${beta.work}=${alpha.work}`);
  expect(back).toMatchObject({ code: 0 });
  expect(uuids(alpha, "web")).toEqual(before);
  expect(idsOf(alpha, "web")).toEqual(ids);
  expect(parents(alpha).slice(0, lineage.length)).toEqual(lineage);
  expect(new Set(parents(alpha))).toEqual(new Set([before.builder]));
  expect(known(alpha)).toHaveLength(1);
  const lead = join(
    alpha.claude,
    "projects",
    projectSlug(join(alpha.work, "web.lead")),
    `${before.lead}.jsonl`,
  );
  expect(readFileSync(lead, "utf8")).toContain("said on beta");
  expect(readFileSync(lead, "utf8")).not.toContain(beta.root);
  expect(hivemind(alpha, ["send", "lead", "--wait", "home", "again"]).code).toBe(0);
  expect(rowsOf(beta, "web")).toEqual(others);
});

test("while the team runs here its forks move, a name in use is not mixed up, and a second run does nothing (incident 33)", async () => {
  const { alpha, beta } = await testHosts();
  await startFleet(alpha, oneAgent);
  teamThere(beta, "web");
  const own = uuids(beta, "web");
  const work = panesOf(alpha);
  const there = sameFolders(alpha, beta);

  const planned = contentsOf(beta.config);
  const dry = migrate(alpha, "web", "beta", "--map", there, "--dry-run");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain(`works in ${join(beta.work, "web.lead")}`);
  expect(dry.stdout).toContain("beta has these teams: web");
  expect(contentsOf(beta.config)).toEqual(planned);
  expect(json(alpha, ["team", "migrate", "web", "beta", "--dry-run"])).toMatchObject({
    isFork: true,
    noFolders: [],
  });

  expect(migrate(alpha, "web", "beta", "--same").stderr).toContain("open on both hosts");
  const gone = migrate(alpha, "web", "beta", "--map", there);
  expect(gone).toMatchObject({ code: 0 });
  expect(gone.stdout).toContain(`a fork of ${idOf(1).slice(0, 8)}`);
  const name = /^(\S+_web) from/m.exec(gone.stdout)![1]!;
  const arrived = uuids(beta, name);
  expect(arrived.lead).not.toBe(idOf(1));
  expect(idsOf(beta, name).lead).not.toBe(idsOf(alpha, "web").lead);
  expect(uuids(beta, "web")).toEqual(own);
  expect(panesOf(alpha)).toEqual(work);
  const again = migrate(alpha, "web", "beta", "--map", there);
  expect(again).toMatchObject({ code: 0, stdout: `${name}: nothing to do\n` });
  expect(uuids(beta, name)).toEqual(arrived);
});

test("a refusal of the other host comes before anything is sent, or at least before the team ends here", async () => {
  const { alpha, beta } = await testHosts();
  await startFleet(alpha, oneAgent);
  const refused = migrate(alpha, "web", "beta", "--map", `${alpha.work}=/nowhere`);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("beta has no folder /nowhere/web.lead; nothing was sent");
  expect(refused.stderr).toContain("--map /nowhere/web.lead=");
  expect(existsSync(join(beta.config, "hivemind.pulled"))).toBe(false);
  expect(readdirSync(alpha.config).filter((name) => name.includes("snapshot"))).toEqual([]);
  expect(migrate(alpha, "other", "beta").stderr).toContain('nothing is stored for a team "other"');
  expect(migrate(alpha, "web", "beta", "--map", "here").code).toBe(2);
  expect(migrate(alpha, "web", "-oProxyCommand=x").code).toBe(2);
  expect(migrate(alpha, "web", "a b").stderr).toContain("a host is letters");

  const running = panesOf(alpha);
  const down = ["web", "beta", "--down", "--map", sameFolders(alpha, beta)];
  const other = join(beta.work, "other");
  const elsewhere = transcriptPath(beta.claude, idOf(1), projectSlug(other));
  writeTranscript(elsewhere, user("m1", { cwd: other }));
  for (const way of [["--dry-run"], []]) {
    const kept = migrate(alpha, ...down, ...way);
    expect(kept).toMatchObject({ code: 1, stdout: "" });
    expect(kept.stderr).toContain(`beta: session ${idOf(1)} is already here, in ${other}`);
    expect(existsSync(join(beta.config, "hivemind.pulled"))).toBe(false);
  }
  rmSync(elsewhere);
  const slug = projectSlug(join(beta.work, "web.lead"));
  writeTranscript(transcriptPath(beta.claude, idOf(1), slug), user("m1"));
  const kept = migrate(alpha, ...down);
  expect(kept).toMatchObject({ code: 1, stdout: "" });
  expect(kept.stderr).toContain(`beta: session ${idOf(1)} has different continuations here and there`);
  // A host may be this host under another name.
  expect(migrate(alpha, "web", "alpha", "--down").stderr).toContain(
    "it already runs there; web continues here",
  );
  expect(panesOf(alpha)).toEqual(running);
});
