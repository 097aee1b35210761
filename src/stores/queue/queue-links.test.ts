import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress } from "../../names/gates.js";
import type { Problem } from "../file/error.js";
import { receipt } from "../receipts.js";
import { openStores } from "../stores.js";
import type { Places } from "./queue-links.js";

const [po, dev] = ["aaaaaaaaaa", "bbbbbbbbbb"] as [AgentId, AgentId];
const places = (entries: Readonly<Record<string, AgentId>>): Places =>
  new Map(Object.entries(entries) as [PaneAddress, AgentId][]);
const nowhere: Places = new Map();

function open() {
  const problems: Problem[] = [];
  const { env } = testHome();
  const stores = openStores(env, (problem) => problems.push(problem));
  const { queues, receipts } = stores;
  mkdirSync(queues.folder, { recursive: true });
  const path = (name: string) => join(queues.folder, name);
  const write = (name: string, text: string) => writeFileSync(path(name), text);
  const links = () =>
    Object.fromEntries(
      readdirSync(queues.folder)
        .filter((name) => lstatSync(path(name)).isSymbolicLink() && name.endsWith(".queue"))
        .map((name) => [name, readlinkSync(path(name))]),
    );
  const texts = (agent: AgentId) => queues.read(agent).messages.map(({ text }) => text);
  const dead = () => {
    const folder = path("dead");
    return existsSync(folder)
      ? readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))
      : [];
  };
  return { queues, receipts, problems, path, write, links, texts, dead };
}

test("each pane's name is a link to the queue of its agent, and follows it", async () => {
  const { queues, links } = open();
  await queues.link(places({ "t:0.0": po, "t:0.1": dev }));
  expect(links()).toEqual({ "t_0_0.queue": `${po}.queue`, "t_0_1.queue": `${dev}.queue` });
  await queues.link(places({ "t:0.0": dev, "u_v:0.1": po }));
  expect(links()).toEqual({ "t_0_0.queue": `${dev}.queue`, "u_v_0_1.queue": `${po}.queue` });
  await queues.link(nowhere);
  expect(links()).toEqual({});
});

test("a writer that appends through a link creates the agent's queue", async () => {
  const { queues, path, texts } = open();
  await queues.link(places({ "t:0.0": po }));
  execFileSync("sh", ["-c", 'echo "5|inform|hello" >> "$0"', path("t_0_0.queue")]);
  expect(texts(po)).toEqual(["hello"]);
  await queues.remove(queues.ids());
  appendFileSync(path("t_0_0.queue"), "6|inform|again\n");
  expect(texts(po)).toEqual(["again"]);
  await queues.link(places({ "t:0.0": po }));
  expect(lstatSync(path("t_0_0.queue")).isSymbolicLink()).toBe(true);
});

test.each<[string, Places, Places, AgentId | null]>([
  ["the agent in that pane", places({ "t:0.0": po }), places({ "t:0.0": dev }), po],
  ["the away agent that was there last", nowhere, places({ "t:0.0": dev }), dev],
  ["no agent, and stays", places({ "t:0.1": po }), nowhere, null],
])("a plain file goes to %s", async (_, owners, last, agent) => {
  const { queues, write, path, texts } = open();
  const text = "5|inform|first\n5|inform|second\nrubbish\n";
  write("t_0_0.queue", text);
  expect(queues.foreignQueues()).toMatchObject([
    { pane: "t:0.0", rows: [{ text: "first" }, { text: "second" }] },
  ]);
  for (let times = 0; times < 2; times++) await queues.link(owners, last);
  if (agent === null) expect(readFileSync(path("t_0_0.queue"), "utf8")).toBe(text);
  else {
    expect(texts(agent)).toEqual(["first", "second"]);
    expect(readFileSync(path(`${agent}.queue`), "utf8")).toContain("rubbish\n");
    expect(queues.foreignQueues()).toEqual([]);
  }
  expect(queues.ids()).toHaveLength(agent === null ? 0 : 2);
});

test("its messages are ordered among the agent's, whose ids stay", async () => {
  const { queues, write, texts } = open();
  write(`${po}.queue`, "5|inform|a\n7|inform|c\n");
  const before = queues.ids();
  write("t_0_0.queue", "6|inform|b\n7|inform|d\n");
  await queues.link(places({ "t:0.0": po }));
  expect(texts(po)).toEqual(["a", "b", "c", "d"]);
  expect(queues.ids()).toEqual([before[0], `${po}@6`, before[1], `${po}@7.2`]);
});

/** What happened to the messages between the kill and the next change. */
test.each<[string, (opened: ReturnType<typeof open>) => Promise<unknown>, string[]]>([
  ["nothing", async () => {}, ["first", "second"]],
  [
    "the first was delivered",
    async ({ queues, receipts }) => {
      await receipts.append([receipt(`${po}@5`, null, "accepted")]);
      await queues.remove([`${po}@5`]);
    },
    ["second"],
  ],
  ["all were cleared", ({ queues }) => queues.clear(po), []],
])("if killed before the file is removed, a message is taken in once: %s", async (_, happens, left) => {
  const opened = open();
  const { queues, write, texts } = opened;
  const text = "5|inform|first\n5|inform|second\n";
  write("t_0_0.queue", text);
  await queues.link(places({ "t:0.0": po }));
  await happens(opened);
  await queues.link(nowhere);
  write("t_0_0.queue", text);
  await queues.link(places({ "t:0.0": po }));
  expect(texts(po)).toEqual(left);
  expect(queues.foreignQueues()).toEqual([]);
});

test("a message that an earlier version typed goes to dead/, once, under any of its ids", async () => {
  const { queues, receipts, write, texts, dead } = open();
  await receipts.append([
    receipt("t:0.0@5", "t:0.0", "queued"),
    receipt("t:0.0@5", "t:0.0", "typing"),
    receipt("t:0.0@6", "t:0.0", "queued"),
    receipt("t:0.9@7", "t:0.9", "typing"),
    receipt("t:0.9@7", "t:0.9", "moved", "t:0.0@7 %3 77@5"),
    receipt("t:0.9@8", "t:0.9", "queued"),
    receipt("t:0.9@8", "t:0.9", "moved", "t:0.0@8"),
  ]);
  const text = "5|inform|typed\n6|inform|waits\n7|inform|typed elsewhere\n8|inform|moved\n";
  for (let times = 0; times < 2; times++) {
    write("t_0_0.queue", text);
    await queues.link(places({ "t:0.0": po }));
    await queues.link(nowhere);
  }
  expect(texts(po)).toEqual(["waits", "moved"]);
  expect(dead()).toEqual(["5|inform|typed\n7|inform|typed elsewhere\n"]);
});

test.each<[string, (path: string, outside: string) => void]>([
  ["a link to a file elsewhere", (path, outside) => symlinkSync(outside, path)],
  ["a link to a queue elsewhere", (path) => symlinkSync(`../${po}.queue`, path)],
  ["a dangling link", (path) => symlinkSync("nothing", path)],
  ["a folder", (path) => mkdirSync(path)],
])("%s is reported, left unchanged, and blocks no change", async (_, make) => {
  const { queues, problems, path, links } = open();
  const outside = path("precious.txt");
  writeFileSync(outside, "5|inform|not ours\n");
  make(path("t_0_0.queue"), outside);
  await queues.link(places({ "t:0.0": po, "t:0.1": dev }));
  await queues.append(po, "inform", "x");
  expect(links()["t_0_1.queue"]).toBe(`${dev}.queue`);
  expect(problems).toMatchObject([{ path: path("t_0_0.queue"), why: expect.stringContaining("refused") }]);
  expect(readFileSync(outside, "utf8")).toBe("5|inform|not ours\n");
  expect(queues.ids()).toHaveLength(1);
});
