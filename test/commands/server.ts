// Runs commands one after the other in one process: what a command does is the same, and node starts once.
//
// Each line of the first pipe is a request, each line of the second an answer.

import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { runCli } from "../../src/cli/run.js";
import { limits } from "../../src/limits.js";
import type { Answer, Request } from "./client.js";

const [, , requests, answers] = process.argv as [string, string, string, string];
const lines = createInterface({ input: createReadStream("", { fd: openSync(requests, "r") }) });
const out = openSync(answers, "w");

for await (const line of lines) {
  const answer = await run(JSON.parse(line) as Request);
  const text = Buffer.from(`${JSON.stringify(answer)}\n`);
  for (let at = 0; at < text.length; ) at += writeSync(out, text, at);
}
closeSync(out);
process.exit();

async function run({ args, env, cwd, input, program, limits: changed }: Request): Promise<Answer> {
  const [stdout, stderr] = [collector(), collector()];
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  // What a command reads where it was not given anything.
  Object.defineProperty(process, "stdin", { value: Readable.from([Buffer.from(input)]), configurable: true });
  const host = {
    argv: [process.execPath, program, ...args],
    env,
    stdout: stdout.stream,
    stderr: stderr.stream,
    exitCode: undefined,
    once: () => host,
    exit(code: number) {
      throw new Error(`the command ended itself with ${code}`);
    },
  } as unknown as NodeJS.Process;
  const own = { ...limits };
  Object.assign(limits, JSON.parse(env.HIVEMIND_TEST_LIMITS ?? "{}"), changed);
  try {
    const code = await runCli(host);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    Object.assign(limits, own);
  }
}

function collector() {
  const parts: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      parts.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(parts).toString("utf8") };
}
