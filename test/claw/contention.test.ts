import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { fixturePrograms } from "../fixture-programs.js";
import { clawHome, said, texts } from "./stores.js";

const program = fixturePrograms("claw/worker");

interface Told {
  what: string;
  id: string;
  n: number;
}

const processes = 20;
const rounds = 3;

test("twenty processes, many of them killed, lose and mix no record", async () => {
  const { folder, open, env } = clawHome();
  const clone = folder("clone");
  const store = open(clone);
  const shared = await store.create();
  shared.close();

  /** Every third is killed, each after another number of acknowledged steps. */
  const run = async (number: number): Promise<Told[]> => {
    const args = [program("worker"), clone, `w${number}`, shared.id, String(rounds)];
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const isVictim = number % 3 === 0;
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (!isVictim || child.killed || text.split("\n").length <= 1 + (number % 16)) return;
      for (const end = performance.now() + Math.random() * 8; performance.now() < end; );
      child.kill("SIGKILL");
    });
    const [code] = await once(child, "close");
    if (!isVictim) expect(code, `w${number}`).toBe(0);
    const lines = text.split("\n").slice(0, -1);
    return lines.map((line) => {
      const [what, id, n] = line.split(" ");
      return { what: what!, id: id!, n: Number(n) };
    });
  };
  const told = await Promise.all(Array.from({ length: processes }, (_, number) => run(number)));

  const { sessions, refused } = store.list();
  expect(refused).toEqual([]);
  expect(sessions.flatMap(({ problems }) => problems)).toEqual([]);
  const said = new Map(sessions.map(({ id }) => [id as string, texts(store.load(id).records).map(shortOf)]));

  // The shared session has an unbroken run from 1 on for each process: all acknowledged steps, and at most one more.
  const inShared = said.get(shared.id)!;
  for (const [number, steps] of told.entries()) {
    const runOf = inShared.filter((each) => each.startsWith(`w${number}:`));
    expect(runOf).toEqual(runOf.map((_, at) => `w${number}:${at + 1}`));
    const acknowledged = steps.filter(({ what }) => what === "shared").length;
    expect(runOf.length).toBeGreaterThanOrEqual(acknowledged);
    expect(runOf.length).toBeLessThanOrEqual(acknowledged + 1);
  }
  const isForkOf = new Map(sessions.map(({ id, parent }) => [id as string, parent]));
  for (const { what, id, n } of told.flat()) {
    if (what === "own") expect(said.get(id)!.length).toBeGreaterThanOrEqual(n);
    if (what !== "fork") continue;
    expect(isForkOf.get(id)).toBe(shared.id);
    expect(said.get(id)).toEqual(inShared.slice(0, n));
  }
  // Unacknowledged work is whole too: a fork has a beginning of its parent, a new session has its maker's records.
  for (const [id, each] of said) {
    const makers = new Set(each.map((word) => word.split(":")[0]));
    if (isForkOf.get(id) === shared.id) expect(each).toEqual(inShared.slice(0, each.length));
    else if (id !== shared.id) expect([makers.size, [1, 3].includes(each.length)]).toEqual([1, true]);
  }
  const own = told.flat().filter(({ what, n }) => what === "own" && n === 1);
  expect(new Set(own.map(({ id }) => id)).size).toBe(own.length);

  // The locks of dead processes are free, and their unfinished files are removed.
  for (const { id } of sessions) await store.append(id, finished);
  (await store.create()).close();
  expect(readdirSync(store.partition).filter((name) => !/^session-\d+-\d+\.jsonl$/.test(name))).toEqual([]);
}, 120_000);

const finished = said("finished");

/** Without its padding; an incomplete record stays unchanged. */
function shortOf(text: string): string {
  return text.replace(/:x{5000}$/, "");
}
