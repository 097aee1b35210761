import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { type AgentPane, startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome } from "../home.js";
import { idOf, title, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

interface Graph {
  nodes: { id: string; gone: boolean; pane: string | null; role: string | null; [key: string]: unknown }[];
  edges: Record<string, unknown>[];
}

const graph = (home: TestHome, ...args: string[]) => json<Graph>(home, ["lineage", ...args]);
const brief = ({ edges }: Graph) =>
  edges.map(({ parent, child, kind, source, inferred }) => [parent, child, kind, source, inferred]).sort();

async function fork(home: TestHome, parent: string, id: string): Promise<AgentPane> {
  const agent = startAgent(home, ["--resume", parent, "--fork-session", "--session-id", id]);
  await agent.becomes("idle");
  return agent;
}

function addressOf(home: TestHome, { pane }: AgentPane): string {
  return home
    .tmux("display-message", "-p", "-t", pane, "#{session_name}:#{window_index}.#{pane_index}")
    .trim();
}

const nowIn = (agent: AgentPane): string => agent.registry()!.sessionId;

test("forks, branches and cleared sessions, from transcripts alone and from the record alone", async () => {
  const home = testHome();
  const [p, c, g] = [idOf(1), idOf(2), idOf(3)];
  const first = startAgent(home, ["--session-id", p, "-n", "mgr"]);
  await first.becomes("idle");
  await first.say("one");
  const second = await fork(home, p, c);
  expect(graph(home).edges).toEqual([
    {
      ...{ parent: p, child: c, forkPoint: null, forkedAt: null },
      ...{ kind: "fork", source: "chosen", inferred: false },
    },
  ]);
  await second.say("two");
  const third = await fork(home, c, g);
  await third.say("three");
  await first.say("/branch side");
  await first.say("four");
  await third.say("/clear");
  await third.say("five");
  const [b, k] = [nowIn(first), nowIn(third)];
  hivemind(home, ["registry", "set", addressOf(home, second), "dev"]);

  const seen = graph(home);
  expect(brief(seen)).toEqual(
    [
      [p, c, "fork", "chosen", false],
      [c, g, "fork", "chosen", false],
      [p, b, "branch", "forkedFrom", false],
      [g, k, "clear", "startedAs", true],
    ].sort(),
  );
  const lastOf = (id: string) => {
    const { uuid, timestamp } = first
      .transcript(id)!
      .filter(({ type }) => type === "assistant")
      .at(-1)!;
    return { forkPoint: uuid, forkedAt: timestamp };
  };
  expect(seen.edges.find(({ child }) => child === c)).toMatchObject(lastOf(p));
  expect(seen.edges.find(({ child }) => child === g)).toMatchObject(lastOf(c));
  expect(seen.edges.find(({ child }) => child === b)).toMatchObject(lastOf(p));
  const lives = Object.fromEntries(seen.nodes.map(({ id, life, team }) => [id, [life, team !== null]]));
  expect(lives).toEqual({
    [p]: ["saved", false],
    [g]: ["saved", false],
    [c]: ["running", true],
    [b]: ["running", true],
    [k]: ["running", true],
  });
  const where = new Map(seen.nodes.map(({ id, pane, role }) => [id, [pane, role]]));
  expect(Object.fromEntries(where)).toEqual({
    [p]: [null, null],
    [c]: [addressOf(home, second), "dev"],
    [g]: [null, null],
    [b]: [addressOf(home, first), null],
    [k]: [addressOf(home, third), null],
  });

  for (const ref of [k, addressOf(home, third), third.pane, "dev"]) {
    expect(
      graph(home, ref)
        .nodes.map(({ id }) => id)
        .sort(),
    ).toEqual([p, c, g, b, k].sort());
  }
  const drawn = hivemind(home, ["lineage", "dev"]).stdout;
  expect(drawn).toMatch(/^00000000 +– .* saved +mgr$/m);
  expect(drawn).toMatch(
    new RegExp(
      `├─ 00000000 \\* +fork at ${lastOf(p).forkPoint.slice(0, 8)} .* ${addressOf(home, second)} dev`,
    ),
  );
  expect(drawn).toMatch(/^│ {2}└─ 00000000 +fork at /m);
  expect(drawn).toMatch(/^│ {5}└─ [0-9a-f]{8} +clear \(inferred\) /m);
  expect(drawn).toMatch(/^└─ [0-9a-f]{8} +branch at [0-9a-f]{8} .* side$/m);

  rmSync(join(home.claude, "projects"), { recursive: true });
  const row = (uuid: string, parent: string) => `2026-01-01T00:00:00Z|old:0.0|po|${uuid}|live|${parent}\n`;
  writeFileSync(
    join(home.config, "hivemind.forks.env"),
    [row(c, ""), row(c, p), row(g, g), row(g, c), row(b, p), row(k, g), row(g, "")].join(""),
  );
  const kept = graph(home);
  expect(brief(kept)).toEqual(
    [
      [p, c, "fork", "chosen", false],
      [c, g, "fork", "chosen", false],
      [p, b, "fork", "forksFile", false],
      [g, k, "fork", "forksFile", false],
    ].sort(),
  );
  expect(
    kept.nodes
      .filter(({ gone }) => gone)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([p, g].sort());
  expect(hivemind(home, ["lineage"]).stdout).toMatch(
    /└─ 00000000 +fork +\d+ d +– +gone last in old:0\.0 po +–\n/,
  );
});

test("without agents and transcripts, the trees come from the record", () => {
  const home = testHome();
  mkdirSync(home.config);
  const rows = [
    [2, 1],
    [3, 2],
  ].map(([uuid, parent]) => `2026-01-01T00:00:00Z|t:0.0|po|${idOf(uuid!)}|live|${idOf(parent!)}\n`);
  writeFileSync(join(home.config, "hivemind.forks.env"), rows.join(""));
  expect(graph(home)).toMatchObject({ nodes: [], edges: [] });
  expect(hivemind(home, ["lineage"]).stdout).toContain(
    "1 tree has no session in this folder: hivemind lineage --all",
  );
  expect(graph(home, idOf(3)).nodes).toMatchObject([
    { id: idOf(1), gone: true, lastSeen: null },
    { id: idOf(2), gone: true, lastSeen: { pane: "t:0.0", role: "po" } },
    { id: idOf(3), gone: true },
  ]);
  expect(graph(home, "--all").edges).toHaveLength(2);
});

test("without REF: the trees of this folder; with --all single sessions too, counted", () => {
  const home = testHome();
  const save = (number: number, cwd: string, more: object = {}) =>
    writeTranscript(
      transcriptPath(home.claude, idOf(number)),
      title(`t${number}`),
      user(`m${number}`, { cwd, ...more }),
    );
  const from = (number: number) => ({ forkedFrom: { sessionId: idOf(number), messageUuid: `m${number}` } });
  save(1, home.work);
  save(2, home.work, from(1));
  save(3, "/elsewhere");
  save(4, "/elsewhere", from(3));
  save(5, home.work);
  expect(graph(home).nodes.map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  expect(hivemind(home, ["lineage"]).stdout).toMatch(
    /\n2 sessions, 1 tree, 1 tree has no session in this folder \(--all\)\n$/,
  );
  expect(graph(home, "--all").nodes).toHaveLength(5);
  expect(hivemind(home, ["lineage", "--all"]).stdout).toMatch(
    /\n\n00000000 +– .* t5\n\n5 sessions, 2 trees, 1 without relatives\n$/,
  );
});

test.each([
  ["15533422", /no session matches "15533422"/],
  ["00000000", /matches 2 sessions/],
  ["t:0.9", /there is no pane t:0\.9/],
  ["no such thing", /no session matches "no such thing"/],
  ["nobody", /no agent has the role "nobody"/],
])("%s is refused, with the alternatives", (ref, message) => {
  const home = testHome();
  for (const number of [1, 2]) writeTranscript(transcriptPath(home.claude, idOf(number)), user(`m${number}`));
  const { code, stdout, stderr } = hivemind(home, ["lineage", ref]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(/\n {2}.+\n$/);
});
