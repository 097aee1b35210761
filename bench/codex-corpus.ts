// Writes a CODEX_HOME full of rollouts, in the record shapes that Codex 0.166 writes (test/kinds/codex/rollouts): turns
// with tools, queued messages, forks and token counts. The same seed gives the same bytes.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Corpus } from "./corpus.js";
import { lengthOf, makeProse, type Random, randomNumbers, type Text, uuid } from "./corpus-text.js";

export interface RolloutOptions {
  /** CODEX_HOME. */
  folder: string;
  rollouts: number;
  bytes: number;
  seed?: number;
  workFolder: string;
}

interface Rollout {
  id: string;
  cwd: string;
  ordinal: number;
  atMs: number;
  tokens: number;
}

const firstMs = Date.UTC(2026, 2, 1);
const betweenMs = 4 * 60 * 60 * 1000;

export function makeRollouts(options: RolloutOptions): Corpus {
  const { folder, rollouts, bytes, seed = 1, workFolder } = options;
  const random = randomNumbers(seed);
  const prose = makeProse(random);
  const files: string[] = [];
  const ids: string[] = [];
  let written = 0;
  for (let made = 0; made < rollouts; made++) {
    const atMs = firstMs + made * betweenMs;
    const cwd = `${workFolder}/project-${Math.floor(random() ** 2 * 60)}`;
    const rollout: Rollout = { id: timedId(random, atMs), cwd, ordinal: 0, atMs, tokens: 0 };
    // Half of the rest is in a few long conversations, as in the other corpus.
    const part = random() < 0.08 ? 6 : 0.2 + 0.7 * random();
    const share = ((bytes - written) / (rollouts - made)) * part;
    const parent = made % 5 === 4 ? ids[Math.floor(random() * ids.length)] : undefined;
    const lines = [headLine(rollout, prose, parent)];
    for (let size = 0; size < share; ) {
      const turn = turnLines(rollout, random, prose);
      lines.push(...turn);
      size += turn.reduce((sum, line) => sum + line.length + 1, 0);
    }
    const file = fileOf(folder, rollout.id, atMs);
    const text = `${lines.join("\n")}\n`;
    writeFileSync(file, text, { mode: 0o600 });
    files.push(file);
    ids.push(rollout.id);
    written += Buffer.byteLength(text);
  }
  return { files, bytes: written };
}

function fileOf(folder: string, id: string, atMs: number): string {
  const time = new Date(atMs).toISOString().slice(0, 19);
  const day = join(folder, "sessions", ...time.slice(0, 10).split("-"));
  mkdirSync(day, { recursive: true, mode: 0o700 });
  return join(day, `rollout-${time.replaceAll(":", "-")}-${id}.jsonl`);
}

/** A UUID of version 7: its first 48 bits are the time. */
function timedId(random: Random, atMs: number): string {
  const time = atMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid(random).slice(15)}`;
}

/** `payload` is JSON. */
function line(rollout: Rollout, type: string, payload: string): string {
  rollout.atMs += 7;
  const timestamp = new Date(rollout.atMs).toISOString();
  return `{"timestamp":"${timestamp}","ordinal":${rollout.ordinal++},"type":"${type}","payload":${payload}}`;
}

function headLine(rollout: Rollout, prose: Text, parent: string | undefined): string {
  const { id, cwd, atMs } = rollout;
  const about = { session_id: id, id, timestamp: new Date(atMs).toISOString(), cwd };
  const from = parent === undefined ? {} : { forked_from_id: parent, forked_from_ordinal_exclusive: 12 };
  const made = { originator: "codex-tui", cli_version: "0.166.0", source: "cli", thread_source: "user" };
  const fields = JSON.stringify({ ...about, ...from, ...made, model_provider: "openai" }).slice(0, -1);
  const rules = `"base_instructions":{"text":"${prose(15_000)}","provenance":{"type":"model","model":"gpt-5.5"}}`;
  return line(rollout, "session_meta", `${fields},${rules},"history_mode":"paginated"}`);
}

function turnLines(rollout: Rollout, random: Random, prose: Text): string[] {
  const turn = timedId(random, rollout.atMs);
  const item = (type: string, fields: string) =>
    line(
      rollout,
      "event_msg",
      `{"type":"item_completed","thread_id":"${rollout.id}","turn_id":"${turn}","item":{"type":"${type}",${fields}},"completed_at_ms":${rollout.atMs}}`,
    );
  const answer = (fields: string) => line(rollout, "response_item", `{${fields},${passed(turn)}}`);
  const said = prose(lengthOf(random, 400));
  const lines = [
    ...startLines(rollout, turn, random() < 0.2 ? "queue" : "user"),
    answer(
      `"type":"message","id":"msg_${uuid(random)}","role":"user","content":[{"type":"input_text","text":"${said}"}]`,
    ),
    item("UserMessage", `"id":"${uuid(random)}","content":[{"type":"text","text":"${said}"}]`),
  ];
  for (let tools = Math.floor(random() * 6); tools > 0; tools--) {
    const call = `call_${uuid(random)}`;
    const command = prose(80);
    const output = prose(lengthOf(random, 6_000));
    const asked = JSON.stringify(`{"cmd":"${command}"}`);
    lines.push(
      answer(
        `"type":"function_call","id":"fc_${uuid(random)}","name":"exec_command","arguments":${asked},"call_id":"${call}"`,
      ),
      item(
        "CommandExecution",
        `"id":"${call}","command":["/bin/bash","-lc","${command}"],"status":"completed","aggregated_output":"${output}","exit_code":0`,
      ),
      answer(`"type":"function_call_output","call_id":"${call}","output":"${output}"`),
      ...tokenLines(rollout, turn, random),
    );
  }
  const words = prose(lengthOf(random, 1_500));
  lines.push(
    item("AgentMessage", `"id":"msg_${uuid(random)}","content":[{"type":"Text","text":"${words}"}]`),
    answer(`"type":"message","role":"assistant","content":[{"type":"output_text","text":"${words}"}]`),
    ...tokenLines(rollout, turn, random),
    line(
      rollout,
      "event_msg",
      `{"type":"task_complete","root_turn_id":"${turn}","turn_id":"${turn}","last_agent_message":"${words}"}`,
    ),
  );
  rollout.atMs += 60_000;
  return lines;
}

const passed = (turn: string) => `"internal_chat_message_metadata_passthrough":{"turn_id":"${turn}"}`;

function startLines(rollout: Rollout, turn: string, trigger: string): string[] {
  const attribution = { turn_id: turn, turn_trigger: trigger, parent_turn_id: null, root_turn_id: turn };
  const ids = { turn_id: turn, root_turn_id: turn };
  const context = { approval_policy: "on-request", model: "gpt-5.5", summary: "none" };
  return [
    line(
      rollout,
      "event_msg",
      JSON.stringify({
        ...{ type: "task_started", turn_attribution: attribution, ...ids },
        model_context_window: 258_400,
      }),
    ),
    line(rollout, "turn_context", JSON.stringify({ ...ids, cwd: rollout.cwd, ...context })),
  ];
}

function tokenLines(rollout: Rollout, turn: string, random: Random): string[] {
  const [input, output] = [4_000 + Math.floor(random() * 100_000), Math.floor(random() * 2_000)];
  rollout.tokens += input + output;
  const last = { input_tokens: input, cached_input_tokens: 0, output_tokens: output };
  const usage = { ...last, reasoning_output_tokens: 0, total_tokens: input + output };
  const total = { ...usage, total_tokens: rollout.tokens };
  const record = { thread_id: rollout.id, turn_id: turn, usage, turn_token_usage: usage };
  const info = { total_token_usage: total, last_token_usage: usage, model_context_window: 258_400 };
  return [
    line(rollout, "token_usage_record", JSON.stringify({ ...record, thread_token_usage: total })),
    line(rollout, "event_msg", JSON.stringify({ type: "token_count", info, rate_limits: null })),
  ];
}
