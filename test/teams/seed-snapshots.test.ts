import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { countFrom, killServer, panesOf, restore, startFleet } from "./fleets.js";

/** Three agents with conversations, saved by us and killed: sessions 1 to 3 have transcripts and a known kind. */
async function savedFleet(): Promise<TestHome> {
  const home = testHome();
  const panes = ["lead", "builder", "scout"];
  await startFleet(home, { web: [{ index: 0, name: "all", shape: "tiled", panes }] });
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  return home;
}

/** A newer snapshot under a name that a hiveMind user chose. */
function put(home: TestHome, text: string): void {
  writeFileSync(join(home.config, "hivemind.snapshot.of-another-program.env"), text);
}

const later = "# hiveMind snapshot 2999-01-01T00:00:00";
const standing = (home: TestHome) =>
  panesOf(home).map(({ pane, role, uuid, kind }) => `${pane} ${role} ${uuid} ${kind}`);

function expectAgain(home: TestHome): void {
  const [before, stored] = [standing(home), contentsOf(home.config)];
  const again = restore(home, "--team", "web");
  expect(again).toMatchObject({ code: 0, stdout: "web: nothing to do\n" });
  expect(standing(home)).toEqual(before);
  expect(contentsOf(home.config)).toEqual(stored);
}

const fields = (home: TestHome) => ({
  lead: `lead|${idOf(1)}|lead|${join(home.work, "web.lead")}||demo`,
  builder: `builder|${idOf(2)}|builder|${join(home.work, "web.builder")}||demo`,
  scout: `scout|${idOf(3)}|scout|${join(home.work, "web.scout")}||demo`,
  shell: `||a shell|${home.work}||shell`,
});

test.each<[string, number, [place: string, who: keyof ReturnType<typeof fields>][], string[]]>([
  [
    "the seeds' own, 0.0 and 0.4",
    0,
    [
      ["0.0", "lead"],
      ["0.4", "shell"],
    ],
    ["0.0 lead", "0.1 null"],
  ],
  [
    "a first pane that is not 0, and rows out of order",
    0,
    [
      ["0.9", "scout"],
      ["0.3", "lead"],
      ["0.5", "builder"],
    ],
    ["0.0 lead", "0.1 builder", "0.2 scout"],
  ],
  [
    "gaps in windows",
    0,
    [
      ["2.1", "lead"],
      ["2.6", "builder"],
      ["7.4", "scout"],
    ],
    ["2.0 lead", "2.1 builder", "7.0 scout"],
  ],
  [
    "another pane-base-index here",
    1,
    [
      ["0.0", "lead"],
      ["0.4", "builder"],
    ],
    ["0.1 lead", "0.2 builder"],
  ],
])("a snapshot with %s is restored in order, and once", async (_, base, rows, expected) => {
  const home = await savedFleet();
  countFrom(home, base);
  const lines = rows.map(([place, who]) => `web|${place}|${fields(home)[who]}`);
  put(home, ["# version: 1", later, ...lines, ""].join("\n"));
  expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ pane, role }) => `${pane} ${role}`)).toEqual(
    expected.map((each) => `web:${each}`),
  );
  expectAgain(home);
  // Part of it still runs: only the missing part comes back.
  const [running] = standing(home);
  home.tmux("kill-pane", "-t", `=web:${expected.at(-1)!.split(" ")[0]}`);
  expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ pane, role }) => `${pane} ${role}`)).toEqual(
    expected.map((each) => `web:${each}`),
  );
  expect(standing(home)[0]).toBe(running);
  expectAgain(home);
});

test.each([5, 6, 7])("rows of %i fields without a version header are restored", async (count) => {
  const home = await savedFleet();
  const { lead, builder } = fields(home);
  const rows = [`web|0.0|${lead}`, `web|0.2|unknown||MacStudio|${home.work}||`, `web|0.4|${builder}`];
  const text = rows.map((row) => row.split("|").slice(0, count).join("|"));
  put(home, `${later}\r\n${text.join("\r\n")}\r\n`);
  const { code, stderr } = restore(home, "--team", "web");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "web: the snapshot does not have the program of these panes, so they get a shell: web:0.2\n",
  });
  expect(standing(home)).toEqual([
    `web:0.0 lead ${idOf(1)} demo`,
    "web:0.1 null null shell",
    `web:0.2 builder ${idOf(2)} demo`,
  ]);
  expect(panesOf(home).map(({ cwd }) => cwd)[2]).toBe(join(home.work, "web.builder"));
});

test("an agent of unknown kind starts as claude, and the output says so", async () => {
  const home = await savedFleet();
  for (const name of readdirSync(home.config))
    if (name.startsWith("hivemind.snapshot.2")) rmSync(join(home.config, name));
  put(home, `web|0.0|lead|${idOf(1)}|lead\n`);
  const { code, stdout, stderr } = restore(home, "--team", "web", "--dry-run");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: "web: the snapshot does not have the kind of these agents, so they start as claude: lead\n",
  });
  expect(stdout).toContain(`lead  ${idOf(1)} in ${join(home.work, "web.lead")}`);
});

test("[SS2] a snapshot with any name is listed with the UTC time of its header", async () => {
  const home = await savedFleet();
  put(home, `# hiveMind snapshot 2026-05-25T19:30:00\nweb|0.0|lead|${idOf(1)}|lead\nweb|0.4|||shell\n`);
  const { snapshots } = json<{ snapshots: object[] }>(home, ["teams", "list"]);
  expect(snapshots).toContainEqual(
    expect.objectContaining({
      path: join(home.config, "hivemind.snapshot.of-another-program.env"),
      savedAt: "2026-05-25T19:30:00Z",
      teams: [{ team: "web", agents: 1, shells: 1 }],
      problem: null,
    }),
  );
});

test("a message for a pane goes to its agent; one without an agent stays", async () => {
  const home = await savedFleet();
  const { lead, builder } = fields(home);
  put(home, ["# version: 1", later, `web|0.0|${lead}`, `web|0.4|${builder}`, ""].join("\n"));
  // As hiveMind leaves it: rows and queues by address, without a roster and receipts.
  for (const name of readdirSync(home.config))
    if (/^hivemind\.(agents|views|queue|receipts)/.test(name))
      rmSync(join(home.config, name), { recursive: true });
  const rows = { roles: "web:0.0|lead\nweb:0.4|builder\n", sessions: `web:0.4|${idOf(2)}\n` };
  for (const [name, text] of Object.entries(rows))
    writeFileSync(join(home.config, `hivemind.${name}.env`), text);
  mkdirSync(join(home.config, "hivemind.queue"));
  const epoch = Math.floor(Date.now() / 1000);
  for (const [pane, text] of [
    ["web_0_1", "for a shell"],
    ["web_0_4", "for the builder"],
  ])
    writeFileSync(join(home.config, "hivemind.queue", `${pane}.queue`), `${epoch}|inform|${text}\n`);
  expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
  const { queues } = json<{ queues: { role: string | null; messages: { text: string }[] }[] }>(home, [
    "queue",
    "list",
  ]);
  const waiting = queues.flatMap(({ role, messages }) => messages.map(({ text }) => `${role} ${text}`));
  expect(waiting).toContain("builder for the builder");
  expect(readFileSync(join(home.config, "hivemind.queue", "web_0_1.queue"), "utf8")).toContain("for a shell");
});
