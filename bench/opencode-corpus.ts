// Writes a database full of OpenCode's conversations, in the tables and the JSON that OpenCode 1.18 writes
// (test/kinds/opencode/recorded.sql): turns with tools and token counts. The same seed gives the same rows.

import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Database, sqlite } from "../src/transcripts/database/sqlite.js";
import { lengthOf, makeProse, type Random, randomNumbers, type Text } from "./corpus-text.js";

export interface DatabaseOptions {
  /** The client's folder. */
  folder: string;
  sessions: number;
  bytes: number;
  seed?: number;
  workFolder: string;
}

const firstMs = Date.UTC(2026, 2, 1);
const betweenMs = 4 * 60 * 60 * 1000;

export function makeDatabase(options: DatabaseOptions): { path: string; bytes: number } {
  const { folder, sessions, bytes, seed = 1, workFolder } = options;
  const random = randomNumbers(seed);
  const prose = makeProse(random);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "opencode.db");
  const database = new (sqlite().Database)(path);
  database.exec(`PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN; ${tables()}`);
  database.exec("CREATE INDEX message_of ON message (session_id, time_created, id)");
  database.exec("CREATE INDEX part_of ON part (session_id)");
  for (let made = 0; made < sessions; made++) {
    const atMs = firstMs + made * betweenMs;
    addSession(database, { atMs, share: bytes / sessions, workFolder }, random, prose);
  }
  database.exec("COMMIT");
  database.close();
  return { path, bytes: statSync(path).size };
}

function tables(): string {
  const recorded = new URL("../test/kinds/opencode/recorded.sql", import.meta.url);
  return readFileSync(recorded, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("CREATE"))
    .join("\n");
}

interface Place {
  atMs: number;
  share: number;
  workFolder: string;
}

function addSession(
  database: Database,
  { atMs, share, workFolder }: Place,
  random: Random,
  prose: Text,
): void {
  const id = `ses_${idPart(random, atMs)}`;
  const cwd = `${workFolder}/project-${Math.floor(random() ** 2 * 60)}`;
  let [at, size, changes] = [atMs, 0, 0];
  const add = (table: "message" | "part", columns: readonly string[], data: object) => {
    const text = JSON.stringify(data);
    size += text.length;
    changes++;
    const values = [...columns, at, at, text];
    database.run(`INSERT INTO ${table} VALUES (${values.map(() => "?").join(",")})`, values);
  };
  while (size < share) {
    const [prompt, answer] = [`msg_${idPart(random, at)}`, `msg_${idPart(random, at + 1)}`];
    const part = (message: string, data: object) =>
      add("part", [`prt_${idPart(random, ++at)}`, message, id], data);
    const model = { providerID: "stub", modelID: "stand-in" };
    add("message", [prompt, id], { role: "user", time: { created: at }, agent: "build", model });
    part(prompt, { type: "text", text: prose(lengthOf(random, 400)) });
    const created = ++at;
    for (let tools = Math.floor(random() * 6); tools > 0; tools--) {
      const state = {
        status: "completed",
        input: { command: prose(80) },
        output: prose(lengthOf(random, 6_000)),
      };
      part(answer, { type: "tool", tool: "bash", callID: "call_1", state });
    }
    part(answer, { type: "text", text: prose(lengthOf(random, 1_500)), time: { start: at, end: at } });
    const tokens = {
      input: 4_000 + Math.floor(random() * 100_000),
      output: 300,
      cache: { read: 0, write: 0 },
    };
    const time = { created, completed: ++at };
    const head = { parentID: prompt, role: "assistant", path: { cwd, root: "/" }, cost: 0, ...model };
    add("message", [answer, id], { ...head, tokens, time, finish: "stop" });
    at += 60_000;
  }
  const columns = "id, project_id, slug, directory, title, version, time_created, time_updated";
  const row = [id, "global", "quiet-forest", cwd, prose(30), "1.18.33", atMs, at];
  database.run(`INSERT INTO session (${columns}) VALUES (?,?,?,?,?,?,?,?)`, row);
  database.run("INSERT INTO event_sequence VALUES (?,?,NULL)", [id, changes]);
}

function idPart(random: Random, atMs: number): string {
  const letters = Array.from({ length: 14 }, () => Math.floor(random() * 36).toString(36)).join("");
  return `${BigInt.asUintN(48, BigInt(atMs) * 0x1000n)
    .toString(16)
    .padStart(12, "0")}${letters}`;
}
