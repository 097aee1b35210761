// docs/kinds.md, made from the abilities of the agents. `npm run docs` writes it, and a test compares it.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Ability, abilities, has } from "../src/agents/abilities.js";
import { type Agent, doorsOf } from "../src/agents/agent.js";
import { agents } from "../src/agents/all.js";

export const kindsPath = fileURLToPath(new URL("../docs/kinds.md", import.meta.url));

const head = `# Kinds of agents

\`npm run docs\` makes this page from the source. Name a kind with \`--kind\`, or with \`kind:\` in a team file. What a kind cannot
do, a command refuses in a sentence, with exit code 1.
`;

const deeds: Readonly<Record<Ability, string>> = {
  start: "start, resume, restore: `agent spawn`, `up`, `restore`",
  fork: "fork in a pane: `agent fork`",
  message: "messages: `send`",
  decide: "its dialogs: `approve`, `reject`, `answer`, `option`, `dismiss`",
  probe: "ask the client for its session: `sessions probe`",
  tools: "hivemind's tools at the start: `--mcp`",
  copy: "fork without a client: `sessions fork`",
  archive: "put files away: `sessions keep`, `sessions rm`, `up --fresh`",
  rebind: "give a session to another folder: `sessions rebind`",
  move: "another host: `team migrate`",
};

/** What a reader asks beside the abilities. */
const facts: readonly [string, (agent: Agent) => string | boolean][] = [
  ["its session is known from", sessionFrom],
  ["ways in, the preferred one first", (agent) => doorsOf(agent).join(", ") || false],
  [
    "conversations in `sessions`, `search`, `export`, `lineage`",
    ({ transcripts, files }) => transcripts !== undefined || files !== undefined,
  ],
  ["activity: `status`, `top`", ({ screen }) => screen !== undefined],
  ["context: `context`", ({ spoken }) => spoken?.addUsage !== undefined],
  ["requests with the real command in `inbox`", ({ requests }) => requests !== undefined],
  ["`agent rename` renames the conversation too", ({ keyboard }) => keyboard?.renaming !== undefined],
  ["goes on when its pane closes", ({ ending }) => ending?.outlivesPane === true],
];

export function kindsPage(): string {
  const shown = agents.filter(({ kind }) => kind !== "demo");
  const rows: [string, (agent: Agent) => string | boolean][] = [
    ...abilities.map((ability): (typeof rows)[number] => [deeds[ability], has[ability]]),
    ...facts,
  ];
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    row(["", ...shown.map(({ kind }) => kind)]),
    row(["---", ...shown.map(() => "---")]),
    ...rows.map(([title, of]) => row([title, ...shown.map((agent) => cell(of(agent)))])),
  ];
  const lacks = shown.flatMap(({ kind, lacks }) => [
    ...(Object.keys(lacks).length === 0 ? [] : [`## What ${kind} cannot do`]),
    ...Object.values(lacks).map(({ why, hint }) => `- ${why} (${hint})`),
  ]);
  return `${[head, ...table, "", ...spaced(lacks)].join("\n").trimEnd()}\n`;
}

function sessionFrom({ registry }: Agent): string {
  if (registry === undefined) return "its arguments";
  if (registry.heldSessions !== undefined) return "the lock that its process holds";
  if (registry.readsTitle === true) return "its arguments and the title of its pane";
  return registry.reports === undefined ? "its arguments and its log of inputs" : "its client's registry";
}

function cell(value: string | boolean): string {
  return typeof value === "string" ? value : value ? "yes" : "–";
}

/** An empty line around each title. */
function spaced(lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.startsWith("#") ? ["", line, ""] : [line])).slice(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(kindsPath, kindsPage());
