// The API's endpoints inside the test's own process, on the fleet of a test's home.

import { Ajv2020 } from "ajv/dist/2020.js";
import { onTestFinished } from "vitest";
import type { Cli } from "../../src/cli/command.js";
import { openOutput } from "../../src/cli/output.js";
import { commandEndpoints } from "../../src/cli/serve/endpoints.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { Answer, Endpoint } from "../../src/web/endpoint.js";
import { mainProgram } from "../command.js";
import type { TestHome } from "../home.js";

// biome-ignore lint/suspicious/noExplicitAny: each answer has its own shape, and a wrong access is a red test
export type Json = Record<string, any>;

export interface Asked {
  status: Answer["status"];
  /** As a client reads it. */
  value: Json;
}

export interface Api {
  hive: Hive;
  endpoints: readonly Endpoint[];
  get(path: string): Promise<Asked>;
  post(path: string, body?: object): Promise<Asked>;
  notes: string[];
}

const never = new AbortController().signal;

export function apiOf(
  home: TestHome,
  { person = "po" as string | null, hive = openHive({ env: home.env }) } = {},
): Api {
  const notes: string[] = [];
  const silent = { write: () => {} };
  const cli: Cli = {
    env: home.env,
    out: openOutput(home.env, silent, { write: (text: string) => void notes.push(text) }),
    self: "hivemind",
    program: [process.execPath, mainProgram],
    hive: async () => hive,
    untilInterrupted: () => never,
  };
  const endpoints = commandEndpoints(cli, person === null ? null : { name: person, from: "here" });
  const call = async (method: Endpoint["method"], path: string, body: object): Promise<Asked> => {
    const { endpoint, parameters } = routed(endpoints, method, path);
    const asked = {
      parameters,
      body: body as Json,
      source: "web 127.0.0.1",
      interrupted: new AbortController().signal,
    };
    const { status, value } = await endpoint.run(asked);
    const read = JSON.parse(JSON.stringify(value));
    if (status === 200 || status === 202) checkAnswer(endpoint, read);
    else checkFailure(endpoint, read);
    return { status, value: read };
  };
  return {
    ...{ hive, endpoints, notes },
    get: (path) => call("GET", path, {}),
    post: (path, body = {}) => call("POST", path, body),
  };
}

/** As the server finds it: the first one that fits. */
function routed(endpoints: readonly Endpoint[], method: string, path: string) {
  const { pathname, searchParams } = new URL(path, "http://x");
  for (const endpoint of endpoints) {
    const form = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const found = endpoint.method === method ? form.exec(pathname) : null;
    if (found === null) continue;
    const inPath = Object.entries(found.groups ?? {}).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    );
    return { endpoint, parameters: new Map([...searchParams, ...inPath]) };
  }
  throw new Error(`no endpoint for ${method} ${path}`);
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });

export function checkAnswer({ path, answer }: Endpoint, value: unknown): void {
  const isGood = ajv.compile(answer);
  if (!isGood(value))
    throw new Error(`${path}: ${JSON.stringify(isGood.errors, null, 1)} ${JSON.stringify(value)}`);
}

function checkFailure({ path }: Endpoint, value: Json): void {
  const isGood =
    value.version === 1 &&
    typeof value.error?.message === "string" &&
    value.error.message !== "" &&
    (value.error.hint === null || typeof value.error.hint === "string");
  if (!isGood) throw new Error(`${path}: not a failure: ${JSON.stringify(value)}`);
}

/** Without what changes from look to look. */
export function steady(value: Json): Json {
  const changing = new Set([
    "ageSeconds",
    "createdAt",
    "activityEvidence",
    "seenTo",
    "updatedAt",
    "state",
    "deletedAt",
  ]);
  return JSON.parse(JSON.stringify(value, (key, each) => (changing.has(key) ? null : each)));
}

/** Questions about "this folder" mean the home's. */
export function inFolder(folder: string): void {
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
}
