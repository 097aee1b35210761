// `sessions` and what stands below it, as typed.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import type { ManagedRecord } from "../../src/agents/claw/records.js";
import { limits } from "../../src/limits.js";
import { fingerprint } from "../../src/names/fingerprint.js";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind, type Ran } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf, title, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

const time = "2026-01-01T00:00:00Z";
const words = (text: string, uuid: string, cwd: string) =>
  user(uuid, { cwd, gitBranch: "main", message: { role: "user", content: text } });
const answer = (text: string, uuid: string, cwd: string) =>
  JSON.stringify({
    ...{ type: "assistant", uuid, cwd, timestamp: time },
    message: { role: "assistant", content: [{ type: "text", text }] },
  });

/** Written so many days ago. */
function save(home: TestHome, number: number, cwd: string, texts: string[], daysAgo = 0): string {
  const path = transcriptPath(home.claude, idOf(number), projectSlug(cwd));
  const lines = texts.map((text, at) => (at % 2 ? answer : words)(text, `m-${number}-${at}`, cwd));
  writeTranscript(path, title(`name ${number}`), ...lines);
  const at = Date.now() / 1000 - daysAgo * 86_400;
  utimesSync(path, at, at);
  return path;
}

const message = (text: string): ManagedRecord => ({
  type: "message",
  message: { role: "user", blocks: [{ type: "text", text }] },
});

async function saveManaged(folder: string, ...texts: string[]): Promise<string> {
  const handle = await openManagedSessions({ folder }).create();
  await handle.append(texts.map(message));
  handle.close();
  return handle.id;
}

const run = (home: TestHome, ...args: string[]) => hivemind(home, ["sessions", ...args]);
const runIn = (home: TestHome, cwd: string, ...args: string[]) =>
  hivemind(home, ["sessions", ...args], { cwd });
const read = <T = Record<string, unknown>>({ code, stdout, stderr }: Ran): T => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
interface List {
  hidden: number;
  sessions: { id: string; agent: string; parent: string | null; [key: string]: unknown }[];
  refused: unknown[];
}

test("a list is the same from its cache, and has what was written since", async () => {
  const home = testHome();
  const other = join(home.work, "other");
  mkdirSync(other);
  save(home, 1, other, ["hello", "hi"], 3);
  const fork = transcriptPath(home.claude, idOf(2), projectSlug(home.work));
  const copied = readFileSync(transcriptPath(home.claude, idOf(1), projectSlug(other)), "utf8");
  writeTranscript(fork, ...copied.trimEnd().split("\n"), answer("own", "m-2-0", home.work));
  utimesSync(fork, 1_767_312_000, 1_767_312_000);
  const own = save(home, 3, home.work, ["one"], 2);
  const folders = [home.work, other].map((cwd) => join(home.claude, "projects", projectSlug(cwd)));
  await until("the folders are old enough", () =>
    folders.every((folder) => Date.now() - statSync(folder).ctimeMs > limits.folderSettleMs),
  );
  const before = run(home);
  expect(readdirSync(join(home.env.XDG_CACHE_HOME!, "hivemind")).join()).toContain("work-folder-");
  expect(run(home)).toEqual(before);
  expect(before.stdout).toMatch(/saved +3 .* d +00000000 .* name 1/);
  expect(before.stdout).toMatch(/saved +1 .* 2 d +– .* name 3/);

  appendFileSync(own, `${answer("more", "m-3-9", home.work)}\n`);
  expect(run(home).stdout).toMatch(/saved +2 .* [0-9] s +– .* name 3/);
  save(home, 4, home.work, ["new"]);
  expect(run(home).stdout).toContain("name 4");
});

describe("Claude and claw side by side", () => {
  test("in one list, each in its own folder", async () => {
    const home = testHome();
    const other = join(home.work, "other");
    mkdirSync(other);
    save(home, 1, home.work, ["hello", "hi"]);
    const here = await saveManaged(home.work, "from claw");
    const forked = await openManagedSessions({ folder: home.work }).fork(here, { branch: "try" });
    const there = await saveManaged(other, "far");
    const list = read<List>(run(home, "--json"));
    expect(list.sessions.map(({ id, agent }) => [id, agent]).sort()).toEqual(
      [
        [idOf(1), "claude"],
        [here, "claw"],
        [forked.id, "claw"],
      ].sort(),
    );
    expect(list.sessions.find(({ id }) => id === forked.id)).toMatchObject({
      ...{
        parent: here,
        branch: "try",
        messages: 1,
        lifecycle: "saved",
        fingerprint: fingerprint(home.work),
      },
      path: join(home.work, ".claw/sessions", fingerprint(home.work), `${forked.id}.jsonl`),
    });
    // Only a folder that something is known of can be looked into.
    expect(read<List>(run(home, "--all", "--json")).sessions.map(({ id }) => id)).not.toContain(there);
    save(home, 2, other, ["x"]);
    expect(read<List>(run(home, "--all", "--json")).sessions.map(({ id }) => id)).toContain(there);
    expect(run(home, "show", here).stdout).toMatch(
      /agent +claw\n(.*\n)*children +session-.*\n(.*\n)*resume +cd .* && claw --resume/,
    );
  });

  test("a moved or copied clone is reported, with the command that rebinds its sessions", async () => {
    const home = testHome();
    const [first, second] = [join(home.work, "first"), join(home.work, "second")];
    mkdirSync(first);
    const id = await saveManaged(first, "bound to the first");
    cpSync(first, second, { recursive: true });
    const copied = runIn(home, second);
    expect(copied.stdout).toMatch(/^No sessions in /);
    expect(copied.stderr).toContain(`hivemind sessions rebind ${id}`);
    expect(read<List>({ ...runIn(home, second, "--json"), stderr: "" }).refused).toMatchObject([
      { id, reason: "copied" },
    ]);
    renameSync(first, join(home.work, "gone"));
    expect(read<List>({ ...runIn(home, second, "--json"), stderr: "" }).refused).toMatchObject([
      { id, reason: "moved" },
    ]);
  });
});

describe("a reference", () => {
  test("latest, an id and its prefix, in this folder; an id of another folder is a mismatch that names both", () => {
    const home = testHome();
    const other = join(home.work, "other");
    mkdirSync(other);
    save(home, 1, home.work, ["old"], 2);
    save(home, 2, home.work, [], 0);
    save(home, 3, other, ["far"], 1);
    expect(run(home, "latest")).toEqual({ code: 0, stdout: `${idOf(1)}\n`, stderr: "" });
    expect(run(home, "latest", "--all").stdout).toBe(`${idOf(3)}\n`);
    expect(read<{ session: object }>(run(home, "latest", "--json")).session).toMatchObject({
      id: idOf(1),
      messages: 1,
    });
    expect(run(home, "show", idOf(1)).stdout).toMatch(
      /^session +00000000-.*1\nagent +claude\ntitle +name 1\n/,
    );
    const refused = run(home, "show", idOf(3));
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    for (const word of [home.work, other, fingerprint(home.work), fingerprint(other), "--all"]) {
      expect(refused.stderr).toContain(word);
    }
    expect(run(home, "show", idOf(3), "--all").stdout).toContain(
      `folder   ${other}`.replace(/ +/, "        "),
    );
    const file = transcriptPath(home.claude, idOf(3), projectSlug(other));
    expect(run(home, "show", "--file", file).stdout).toContain(idOf(3));
    expect(run(home, "export", "--file", join(home.work, "no")).code).toBe(1);
    expect(run(home, "show", "nobody")).toMatchObject({ code: 1, stdout: "" });
    expect(run(home, "show")).toMatchObject({ code: 2, stdout: "" });
    expect(run(home, "nonsense")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command"),
    });
    expect(run(home, "export", "latest", "--format", "pdf")).toMatchObject({ code: 2, stdout: "" });
  });

  test("a clone reached through a link is the same workspace; folders with the same slug are not", () => {
    const home = testHome();
    const [first, second] = [join(home.work, "a", "b-c"), join(home.work, "a-b", "c")];
    for (const folder of [first, second]) mkdirSync(folder, { recursive: true });
    symlinkSync(first, join(home.work, "link"));
    save(home, 1, first, ["of the first"]);
    save(home, 2, second, ["of the second"]);
    expect(runIn(home, first, "latest").stdout).toBe(`${idOf(1)}\n`);
    expect(runIn(home, second, "latest").stdout).toBe(`${idOf(2)}\n`);
    expect(runIn(home, join(home.work, "link"), "latest").stdout).toBe(`${idOf(1)}\n`);
    expect(runIn(home, first, "show", idOf(2)).code).toBe(1);
    expect(runIn(home, first, "search", "of the").stdout).not.toContain("second");
    expect(runIn(home, second, "export", idOf(1))).toMatchObject({ code: 1, stdout: "" });
  });
});

describe("the state of a session", () => {
  test("dirty worktree and abandoned, from one look at git", () => {
    const home = testHome();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", home.work, ...args], { env: home.env, stdio: "pipe" });
    git("init", "-q", "-b", "topic");
    save(home, 1, home.work, ["old work"], 30);
    save(home, 2, home.work, ["older work"], 60);
    save(home, 3, join(home.work, "removed"), ["lost"], 0);
    const clean = read<List>(run(home, "--json")).sessions[0]!;
    expect(clean).toMatchObject({ worktree: { branch: "topic", changedFiles: 0 }, abandoned: null });
    mkdirSync(join(home.work, "new"));
    cpSync(import.meta.filename, join(home.work, "new", "file"));
    const { sessions } = read<List>(run(home, "--json"));
    expect(sessions.map(({ abandoned }) => abandoned)).toEqual([
      "1 changed file, not touched for 30 d",
      null,
    ]);
    const { stdout } = run(home);
    expect(stdout).toMatch(/2 sessions, branch topic, 1 changed\n/);
    expect(stdout).toMatch(
      / saved, dirty 1, abandoned\? .*\n.* saved, dirty 1 .*\nabandoned\? 00000000: 1 changed file/,
    );
    for (const line of stdout.split("\n").slice(1)) expect(line.length).toBeLessThanOrEqual(100);
    expect(run(home, "--all").stdout).toContain(`its folder is gone (${join(home.work, "removed")})`);
  });
});

describe("export", () => {
  test("Markdown and JSON, to a terminal or a new file", () => {
    const home = testHome();
    save(home, 1, home.work, ["say \u001b[31mred\n## 9 · user", "done"]);
    const { stdout, code } = run(home, "export", "latest");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# name 1\n\n- session: /);
    expect(stdout).toMatch(
      /\n## 1 · user · 2026-.*\n\nsay ␛\[31mred\n\\## 9 · user\n\n## 2 · assistant · .*\n\ndone\n$/,
    );
    const { messages } = read<{ messages: object[] }>(run(home, "export", "latest", "--format", "json"));
    expect(messages).toEqual([
      expect.objectContaining({
        role: "user",
        at: "2026-01-01T00:00:00.000Z",
        blocks: [{ kind: "text", text: "say \u001b[31mred\n## 9 · user" }],
      }),
      expect.objectContaining({ role: "assistant" }),
    ]);
    const file = join(home.work, "out.md");
    expect(run(home, "export", "latest", "--out", "out.md")).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const again = run(home, "export", "latest", "--out", "out.md");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("already exists") });
    expect(run(home, "export", "latest", "--out", "no/such/folder.md").code).toBe(1);
    expect(existsSync(join(home.work, "no"))).toBe(false);
  });

  test("torn and foreign lines are skipped, and a claw session is exported the same way", async () => {
    const home = testHome();
    const path = save(home, 1, home.work, ["one", "two"]);
    writeTranscript(
      path,
      words("one", "a", home.work),
      "not json",
      "[1]",
      answer("two", "b", home.work),
      '{"type":"us',
    );
    const id = await saveManaged(home.work, "from claw", "again");
    const texts = (ref: string) =>
      read<{ messages: { blocks: { text: string }[] }[] }>(run(home, "export", ref, "--json")).messages.map(
        ({ blocks }) => blocks[0]?.text,
      );
    expect(texts(idOf(1))).toEqual(["one", "two"]);
    expect(texts(id)).toEqual(["from claw", "again"]);
  });

  test("a line that is too long to read is replaced by a note", () => {
    const home = testHome();
    const path = save(home, 1, home.work, []);
    const long = words(`needle ${"x".repeat(limits.transcriptLineBytes)}`, "long", home.work);
    writeTranscript(path, words("one", "a", home.work), long, answer("two", "b", home.work));
    const note = `hivemind: could not read ${path}: 1 line of more than ${limits.transcriptLineBytes} bytes left out\n`;
    const markdown = run(home, "export", "latest", "--out", "out.md");
    expect(markdown).toMatchObject({ code: 0, stderr: expect.stringMatching(/^wrote 2 messages of .*\n/) });
    expect(markdown.stderr.endsWith(note)).toBe(true);
    expect(readFileSync(join(home.work, "out.md"), "utf8")).toMatch(
      RegExp(
        `\\none\\n\\n## 2 · system\\n\\n\\*\\(${long.length} bytes in one line: too long to be read\\)\\*\\n\\n## 3 · `,
      ),
    );
    const json = run(home, "export", "latest", "--json");
    expect(json.stderr).toBe(note);
    const { messages } = JSON.parse(json.stdout) as { messages: { blocks: object[] }[] };
    expect(messages.map(({ blocks }) => blocks[0])).toEqual([
      { kind: "text", text: "one" },
      { kind: "skipped", sizeBytes: long.length },
      { kind: "text", text: "two" },
    ]);
    expect(run(home, "show", "latest")).toMatchObject({ code: 0, stderr: note });
    const found = run(home, "search", "needle");
    expect(found).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining(note) });
  });

  test("show prints the first and last messages of a long conversation", () => {
    const home = testHome();
    const many = Array.from({ length: 400 }, (_, at) => `text ${at} ${"x".repeat(3000)}`);
    save(home, 1, home.work, many);
    const { first, last } = read<{ first: { text: string }[]; last: { text: string }[] }>(
      run(home, "show", "latest", "--json"),
    );
    const numbers = (each: { text: string }[]) => each.map(({ text }) => Number(text.split(" ")[1]));
    expect([numbers(first), numbers(last)]).toEqual([
      [0, 1, 2],
      [397, 398, 399],
    ]);
    save(home, 1, home.work, ["a", "b", "c", "d"]);
    expect(run(home, "show", "latest").stdout).toMatch(/ {2}a\n.* {2}b\n.* {2}c\n {2}…\n.* {2}d\n$/);
  });
});

test("show says when the client will delete the session, from its settings, and how to keep it", () => {
  const home = testHome();
  save(home, 1, home.work, ["a"], 12);
  const shownWith = (...args: string[]) => run(home, "show", idOf(1), ...args);
  expect(shownWith().stdout).toMatch(/^deletion +by the client in 17 d, unless/m);
  expect(shownWith().stdout).toMatch(/^keep a copy +cd .* && hivemind sessions keep /m);
  writeFileSync(join(home.claude, "settings.json"), '{"cleanupPeriodDays":7}');
  expect(shownWith().stdout).toMatch(/^deletion +by the client at its next start/m);
  const { session } = read<{ session: { deletedAt: string } }>(shownWith("--json"));
  expect(Date.parse(session.deletedAt)).toBeLessThan(Date.now());
});

describe("search", () => {
  test("finds sessions and matches, in this folder or in all, claw's too", async () => {
    const home = testHome();
    const other = join(home.work, "other");
    mkdirSync(other);
    save(home, 1, home.work, ['he said "Zebra\nfish"', "no"]);
    save(home, 2, other, ["a zebra \u001b[2J far away"]);
    await saveManaged(home.work, "the zebra of claw");
    const { stdout, code, stderr } = run(home, "search", "zebra");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('he said "Zebra fish"');
    expect(stdout).toContain("the zebra of claw");
    expect(stdout).not.toContain("far away");
    const all = run(home, "search", "--all", "zebra").stdout;
    expect(all).toContain("a zebra ␛[2J far away");
    expect(run(home, "search", "Zebra\nfish").stdout).toContain(idOf(1).slice(0, 8));
    const found = read<{ sessions: { id: string; hits: object[] }[] }>(
      run(home, "search", "--json", "Zebra"),
    );
    expect(found.sessions).toMatchObject([
      {
        id: idOf(1),
        hits: [
          {
            role: "user",
            before: 'he said "',
            match: "Zebra",
            after: ' fish"',
            at: "2026-01-01T00:00:00.000Z",
          },
        ],
      },
    ]);
    expect(run(home, "search", "Zebras")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/: hivemind sessions search --all -- Zebras\n$/),
    });
    expect(run(home, "search", "uuid").code).toBe(1);
    expect(run(home, "search", "")).toMatchObject({ code: 2 });
    expect(run(home, "search", "x", "--limit", "0")).toMatchObject({ code: 2 });
    expect(run(home, "search", "--all", "zebra", "--limit", "1").stderr).toContain("there may be more");
  });
});

describe("manners", () => {
  test("status and help name the folder and its fingerprint, and claw's folder once it exists", () => {
    const home = testHome();
    const mark = fingerprint(home.work);
    const partition = join(home.work, ".claw/sessions", mark);
    const folder = `This folder is ${home.work}, fingerprint ${mark}.\n`;
    const claw = `claw keeps its sessions for this folder in ${partition}\n`;
    const outputs = () =>
      [["status"], ["status", "--help"], ["sessions", "--help"], ["sessions", "show", "--help"]].map(
        (args) => hivemind(home, args).stdout,
      );
    for (const text of outputs()) {
      expect(text).toContain(folder);
      expect(text).not.toContain(claw);
    }
    mkdirSync(partition, { recursive: true });
    for (const text of outputs()) expect(text).toContain(folder + claw);
    const boundary = { workspace: { path: home.work, fingerprint: mark, partition } };
    for (const command of ["status", "sessions"]) {
      expect(JSON.parse(hivemind(home, [command, "--json"]).stdout)).toMatchObject(boundary);
    }
  });

  test("a word that is both a command and a group completes to both", () => {
    const home = testHome();
    const propose = (...words: string[]) => hivemind(home, ["__complete", ...words]).stdout;
    expect(propose("sess")).toMatch(/^sessions\t.*\n$/);
    expect(propose("sessions", "")).toMatch(/^current\t.*\ndiscover\t/);
    expect(propose("sessions", "--t")).toMatch(/^--title\t/);
    expect(propose("sessions", "search", "--l")).toMatch(/^--limit\t/);
    expect(run(home, "show", "--help").stdout).toMatch(/^Usage: hivemind sessions show/);
    expect(hivemind(home, ["sessions.latest"])).toMatchObject({ code: 1, stdout: "" });
  });
});
