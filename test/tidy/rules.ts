// The shape of the source, as functions over its text: what may import whom, who may do what, how long a file may be.

export interface Source {
  /** From the repository's root: `src/stores/roles.ts`. */
  path: string;
  text: string;
}

/**
 * What each part of src/ may import besides itself, `limits.ts` and node's own modules.
 * A part that is not in this table is a violation: a new folder is a decision.
 */
const base = ["base"];
const names = [...base, "names"];
const worlds = [...names, "tmux", "screen", "git", "ssh", "processes", "transcripts"];
const agents = [...worlds, "agents"];
const events = [...names, "events"];
const stores = [...events, "stores"];
const fleet = [...agents, ...stores, "fleet"];
const messages = [...fleet, "layout", "messages"];
const teams = [...messages, "reconcile", "teams", "viewer"];
const above = [...teams, "teamfile", "up", "moving"];
const hive = [...above, "handlers.ts", "hive.ts", "demo", "doctor", "watch"];

export const layers: Readonly<Record<string, readonly string[]>> = {
  "limits.ts": ["limits"],
  limits: [],
  base: [],
  names: base,
  tmux: names,
  screen: names,
  git: names,
  ssh: names,
  processes: names,
  transcripts: names,
  agents: worlds,
  teamfile: [...agents],
  events: names,
  stores: events,
  fleet: [...agents, ...stores],
  layout: fleet,
  messages: fleet,
  reconcile: messages,
  teams: messages,
  viewer: messages,
  up: [...teams, "teamfile"],
  moving: teams,
  "handlers.ts": teams,
  "hive.ts": [...teams, "handlers.ts"],
  demo: [...teams, "handlers.ts", "hive.ts"],
  watch: [...above, "handlers.ts", "hive.ts"],
  doctor: [...teams, "handlers.ts", "hive.ts", "demo"],
  cli: hive,
  tui: hive,
  web: hive,
  "index.ts": hive,
  "main.ts": ["cli", "tui", "web"],
  "start.ts": [],
};

/** The first segment under src/: a folder, or a file that stands alone. */
function partOf(path: string): string {
  return path.split("/")[1]!;
}

export function layerViolations(sources: readonly Source[]): string[] {
  const found: string[] = [];
  for (const { path, text } of sources) {
    const part = partOf(path);
    const allowed = layers[part];
    if (allowed === undefined) found.push(`${path}: ${part} has no place in the layer table`);
    for (const target of importedPaths(path, text)) {
      const to = partOf(target);
      if (to === part || to === "limits.ts" || allowed === undefined) continue;
      if (!allowed.includes(to)) found.push(`${path} imports ${target}`);
    }
  }
  return found;
}

function importedPaths(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1]!);
  return specifiers.map((specifier) =>
    new URL(specifier, `file:///${path}`).pathname.slice(1).replace(/\.js$/, ".ts"),
  );
}

/** Who may do a thing: everybody else who does is a violation. `seen` finds the deed in a file's code. */
export interface OnlyRule {
  deed: string;
  seen: RegExp;
  allowed: readonly string[];
}

const writes =
  "writeFile|writeFileSync|appendFile|appendFileSync|rename|renameSync|unlink|unlinkSync|rm|rmSync|rmdirSync|" +
  "mkdir|mkdirSync|mkdtempSync|symlink|symlinkSync|link|linkSync|truncateSync|ftruncateSync|createWriteStream|" +
  "openSync|open|copyFileSync|chmodSync|utimesSync|cpSync|writeSync";

export const onlyRules: readonly OnlyRule[] = [
  {
    deed: "runs tmux",
    seen: /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|execFileAsync)\(\s*["'`]tmux\b/,
    // The client tells which pane it was started in, and the demo agent is a client.
    allowed: ["src/tmux/", "src/agents/demo/client/"],
  },
  {
    deed: "runs GNU screen",
    seen: /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync)\(\s*["'`]screen\b/,
    allowed: ["src/screen/"],
  },
  {
    deed: "starts programs",
    seen: /from "node:child_process"/,
    allowed: [
      "src/tmux/",
      "src/screen/",
      "src/git/",
      "src/ssh/",
      "src/processes/",
      "src/base/process-identity.ts",
      // Asks programs for their versions.
      "src/doctor/program.ts",
      // Runs what a person wants to be told by.
      "src/watch/notifier.ts",
      "src/agents/demo/client/",
    ],
  },
  {
    deed: "runs a shell string",
    seen: /(?<![.\w])exec(?:Sync)?\(|shell:\s*true/,
    // A client's hooks are shell lines that its user wrote.
    allowed: ["src/agents/demo/client/hooks.ts"],
  },
  {
    deed: "writes files",
    seen: new RegExp(`import \\{[^}]*\\b(?:${writes})\\b[^}]*\\} from "node:fs(?:/promises)?"`),
    allowed: [
      "src/stores/",
      "src/base/atomic-file.ts",
      "src/base/lock.ts",
      // Opens the system's source of random bytes.
      "src/base/random.ts",
      // While it is built: what node compiled of the command.
      "src/start.ts",
      // A disposable cache, not state.
      "src/transcripts/",
      "src/agents/claude/freshen.ts",
      // The managed store is the agent's own, in the workspace it belongs to.
      "src/agents/claw/",
      // Programs and homes of the demo, all inside its own temporary folder.
      "src/agents/demo/client/",
      "src/demo/",
    ],
  },
  {
    deed: "names a store's file",
    seen: /["'`/](?:hivemind\.(?:roles|sessions|teams|forks|queue|active|events|receipts|state|projects|moved|accounts|hooks)\b|tronMonitor\.env|otmux\.size)/,
    allowed: ["src/stores/"],
  },
  {
    deed: "prints",
    seen: /\bconsole\.|process\.std(?:out|err)\b/,
    allowed: ["src/cli/", "src/tui/", "src/agents/demo/client/", "src/main.ts", "src/start.ts"],
  },
  {
    deed: "waits by a clock that can be set",
    seen: /Date\.now\(\)\s*[<>+]/,
    allowed: [],
  },
];

export function onlyViolations(sources: readonly Source[], rules: readonly OnlyRule[] = onlyRules): string[] {
  return rules.flatMap(({ deed, seen, allowed }) =>
    sources
      .filter(({ path, text }) => seen.test(code(text)) && !allowed.some((place) => path.startsWith(place)))
      .map(({ path }) => `${path} ${deed}`),
  );
}

/** Without line comments: words about a deed are not the deed. */
function code(text: string): string {
  return text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
}

export const longestFile = 350;

export function lengthViolations(sources: readonly Source[]): string[] {
  return sources
    .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > longestFile)
    .map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** `// [X1] sentence` in the header of a file, and `[X1]` at the start of a test's title, must be the same set. */
export function numberViolations(sources: readonly Source[], tests: readonly Source[]): string[] {
  const found: string[] = [];
  const home = new Map<string, string>();
  for (const { path, text } of sources) {
    for (const [, number] of text.matchAll(/^\/\/ \[([A-Z]{1,3}\d+)\] /gm)) {
      const other = home.get(number!);
      if (other) found.push(`[${number}] stands in ${other} and in ${path}`);
      home.set(number!, path);
    }
  }
  const titled = new Set<string>();
  for (const { path, text } of tests) {
    for (const [, number] of text.matchAll(/["'`]\[([A-Z]{1,3}\d+)\] /g)) {
      titled.add(number!);
      if (!home.has(number!)) found.push(`${path} tests [${number}], which no header states`);
    }
  }
  for (const [number, path] of home) {
    if (!titled.has(number)) found.push(`[${number}] of ${path} has no test`);
  }
  return found;
}

/** Words that say a folder or file has no idea of its own. */
export function nameViolations(sources: readonly Source[]): string[] {
  const empty = /\b(?:utils?|helpers?|services?|types|constants|managers?|common|misc)\b/i;
  return sources.map(({ path }) => path).filter((path) => empty.test(path));
}
