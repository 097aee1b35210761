// docs/commands.md, made from the commands themselves. `npm run docs` writes it, and a test compares it.

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Argument, allOptions, type Command, type Option } from "../src/cli/command.js";
import { sections } from "../src/cli/commands.js";

export const commandsPath = fileURLToPath(new URL("../docs/commands.md", import.meta.url));

const head = `# Commands

\`npm run docs\` makes this page from the commands. \`hivemind COMMAND --help\` prints the same with notes.

Every command that only reads takes \`--json\`: an object with \`"version": 1\`. Its keys are always there, null if unknown.
A NAME is a role, an address (\`team:window.pane\`), tmux's id (\`%5\`), or an agent id (\`@k3f5q2a7dx\`). Every command has a
dotted form too (\`team.list\`). Links called \`otmux\`, \`tronMonitor\`, \`claudeCode\` or \`scrumMaster\` answer with the verbs of
those programs. A command acts at once on what you name; before it ends or forgets anything else it asks, and
\`--yes\` answers.

| exit code | means |
|---|---|
| 0 | done |
| 1 | refused or failed; stderr says why and what to type |
| 2 | wrong usage |
| 3 | could not look: tmux or a store could not be read |
| 4 | the message is queued |
| 5 | the message is held: a person uses that pane |
| 124 | \`--timeout\` is over |
`;

export function commandsPage(): string {
  const parts = sections.map(({ title, commands }) => [`## ${title}`, ...commands.map(entry)].join("\n\n"));
  return `${[head.trimEnd(), ...parts].join("\n\n")}\n`;
}

function entry(command: Command): string {
  const { words, also, about, args = [], examples } = command;
  const usage = ["hivemind", words, ...args.map(argumentForm)].join(" ");
  const rows = [
    ...args.map((each) => [`${each.name}`, each.about]),
    ...allOptions(command).map((each) => [optionForm(each), each.about]),
  ];
  const table = rows.map(([form, text]) => `- \`${form}\` ${text}`);
  const spellings = also === undefined ? [] : [`Also: ${also.map((each) => `\`${each}\``).join(", ")}.`];
  const shown = ["```", ...examples, "```"].join("\n");
  const blocks = [`### ${usage.replaceAll("<", "\\<")}`, sentence(about), ...spellings];
  return [...blocks, ...(table.length > 0 ? [table.join("\n")] : []), shown].join("\n\n");
}

function argumentForm({ name, isOptional, takesRest }: Argument): string {
  const inner = `${name.toUpperCase()}${takesRest ? "…" : ""}`;
  return isOptional ? `[${inner}]` : inner;
}

function optionForm({ name, short, value }: Option): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value.toUpperCase()}`}`;
}

function sentence(about: string): string {
  return `${about[0]!.toUpperCase()}${about.slice(1)}.`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(commandsPath, commandsPage());
