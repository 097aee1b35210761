// The rules of the source, as functions over its text: allowed imports, restricted actions, file lengths.

import ts from "typescript";

export interface Source {
  /** From the repository's root: `src/stores/roles.ts`. */
  path: string;
  text: string;
}

/**
 * What each part of src/ may import besides itself, `limits.ts` and node's own modules. A part that is not in this
 * table is a violation: a new folder needs a decision.
 */
const base = ["base"];
const names = [...base, "names"];
const worlds = [...names, "tmux", "screen", "git", "ssh", "sockets", "nats", "transcripts"];
const agents = [...worlds, "agents"];
const events = [...names, "events"];
const stores = [...events, "stores"];
const fleet = [...agents, ...stores, "fleet"];
const messages = [...fleet, "layout", "messages"];
const teams = [...messages, "reconcile", "teams", "viewer"];
const above = [...teams, "teamfile", "up", "hosts"];
const hive = [...above, "handlers.ts", "hive", "link", "demo", "doctor", "watch"];

export const layers: Readonly<Record<string, readonly string[]>> = {
  "limits.ts": ["limits"],
  limits: [],
  base: [],
  names: base,
  tmux: names,
  screen: names,
  git: names,
  ssh: names,
  sockets: names,
  nats: names,
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
  hosts: teams,
  "handlers.ts": teams,
  hive: [...teams, "handlers.ts"],
  demo: [...teams, "handlers.ts", "hive"],
  link: [...above, "handlers.ts", "hive"],
  watch: [...above, "handlers.ts", "hive", "link"],
  doctor: [...teams, "handlers.ts", "hive", "demo", "watch"],
  mcp: hive,
  cli: [...hive, "mcp", "top", "web"],
  top: hive,
  web: hive,
  "index.ts": hive,
  "main.ts": ["cli", "top", "web"],
  "start.ts": ["transcripts"],
  "demo-agent": names,
  // Types, except for what `pageViolations` allows.
  page: [...hive, "web", "cli"],
};

/** The first segment under src/: a folder, or a single file. The demo agent and the web page are separate parts. */
function partOf(path: string): string {
  const [root, part] = path.split("/");
  if (root === "web") return "page";
  return root === "src" ? part! : root!;
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

/** Parts that only late imports may reach: their files load when a command needs them. */
const late: readonly { part: RegExp; reachedBy: RegExp }[] = [
  { part: /^src\/mcp\//, reachedBy: /^src\/mcp\// },
  // The build makes a file of its own of it.
  { part: /^src\/mcp\/protocol\.ts$/, reachedBy: /^$/ },
  { part: /^@modelcontextprotocol\//, reachedBy: /^src\/mcp\/protocol\.ts$/ },
  // The build makes a file of its own of the client library.
  { part: /^src\/nats\/client\.ts$/, reachedBy: /^$/ },
  { part: /^@nats-io\//, reachedBy: /^src\/nats\/client\.ts$/ },
  { part: /^src\/web\//, reachedBy: /^(?:src\/)?web\// },
  { part: /^src\/web\/http\.ts$/, reachedBy: /^$/ },
  { part: /^(?:@hono\/|hono)/, reachedBy: /^src\/web\/http\.ts$/ },
];

export function lateViolations(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    earlyImports(source)
      .filter((to) => late.some(({ part, reachedBy }) => part.test(to) && !reachedBy.test(source.path)))
      .map((to) => `${source.path} imports ${to} at once`),
  );
}

/** A browser loads the page: of src/ it may load only what needs nothing of node. */
const forThePage = ["src/names/short-id.ts", "src/web/contract.ts", "src/web/fleet-delta.ts"];

export function pageViolations(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith("web/") || forThePage.includes(path))
    .flatMap((source) =>
      earlyImports(source)
        .filter((to) => /^(?:src\/|node:)/.test(to) && !forThePage.includes(to))
        .map((to) => `${source.path} imports ${to}`),
    );
}

/** What a file loads when it is loaded itself: values, not types. */
function earlyImports({ path, text }: Source): string[] {
  return [...text.matchAll(/^(?:import|export)(?! type)\b[^"]*?from "([^"]+)"/gm)].map(([, to]) =>
    to!.startsWith(".") ? new URL(to!, `file:///${path}`).pathname.slice(1).replace(/\.js$/, ".ts") : to!,
  );
}

function importedPaths(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map((match) => match[1]!);
  return specifiers.map((specifier) =>
    new URL(specifier, `file:///${path}`).pathname.slice(1).replace(/\.js$/, ".ts"),
  );
}

/** Who may do a thing; anyone else who does is a violation. `seen` finds it in a file's code. */
export interface OnlyRule {
  deed: string;
  seen: RegExp;
  allowed: readonly string[];
}

const writes =
  "writeFile|writeFileSync|appendFile|appendFileSync|rename|renameSync|unlink|unlinkSync|rm|rmSync|rmdirSync|" +
  "mkdir|mkdirSync|mkdtempSync|symlink|symlinkSync|link|linkSync|truncateSync|ftruncateSync|createWriteStream|" +
  "openSync|open|copyFileSync|chmodSync|utimesSync|cpSync|writeSync";

const ownOfLinux = ["process\\.platform", "[\"'`<\\s=(:]/(?:proc|sys)[/\"'`]", "/etc/machine-id"];

/** Only some systems have them, or each has its own. */
const differentPrograms = [
  "\\b(?:spawn|execFile)(?:Sync)?\\(\\s*[\"'`](?:ps|lsof|ss|sysctl|ioreg|launchctl|systemctl)\\b",
  "\\b(?:spawn|execFile)(?:Sync)?\\(\\s*[\"'`](?:pbcopy|xclip|wl-copy|osascript|notify-send|xdg-open|open)\\b",
];

/** In lines of sh. BSD, macOS and busybox refuse them, or take them for something else. */
const flagsOfGnu = [
  "\\breadlink -\\w*f|\\brealpath |\\bstat -c|\\bmktemp --|\\bdate (?:-d|\\+\\S*%N)",
  "\\bsed -[ir]|\\bgrep -\\w*P|\\bxargs -[rd]|\\bsort -V|\\bhead -[cn] ?-|\\bbase64 -w|(?<![-\\w])timeout \\d",
];

export const onlyRules: readonly OnlyRule[] = [
  {
    deed: "runs tmux",
    seen: /\b(?:spawn|spawnSync|execFile|execFileSync|exec|execSync|execFileAsync)\(\s*["'`]tmux\b/,
    // The client reports the pane it was started in, and the demo agent is a client.
    allowed: ["src/tmux/", "demo-agent/"],
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
      // Runs a NATS server, and openssl for its certificate.
      "src/nats/run-server.ts",
      "src/base/system/",
      // Asks programs for their versions.
      "src/doctor/program.ts",
      // Lets the client itself add an MCP server to its own file.
      "src/agents/claude/mcp/client-command.ts",
      // Talks to the client's own server, which makes conversations and takes messages.
      "src/agents/codex/run-server.ts",
      "src/agents/opencode/run-server.ts",
      // Starts the watcher in the background.
      "src/watch/process/watcher.ts",
      // Runs a person's notification command.
      "src/watch/notifier.ts",
      // Lends the terminal to the user's editor and to commands.
      "src/top/programs.ts",
      "demo-agent/",
    ],
  },
  {
    deed: "depends on one system",
    seen: new RegExp([...ownOfLinux, ...differentPrograms, ...flagsOfGnu].join("|")),
    allowed: ["src/base/system/"],
  },
  {
    deed: "runs a shell string",
    seen: /(?<![.\w])exec(?:Sync)?\(|shell:\s*true/,
    // A client's hooks are shell lines that its user wrote.
    allowed: ["demo-agent/hooks.ts"],
  },
  {
    deed: "writes files",
    seen: new RegExp(`import \\{[^}]*\\b(?:${writes})\\b[^}]*\\} from "node:fs(?:/promises)?"`),
    allowed: [
      "src/stores/",
      "src/base/files/atomic-file.ts",
      "src/base/files/lock.ts",
      // Opens the system's source of random bytes.
      "src/base/random.ts",
      // The folder of node's compile cache.
      "src/start.ts",
      // A disposable cache, not state.
      "src/transcripts/",
      "src/agents/claude/freshen.ts",
      // The managed store belongs to the agent, in its workspace.
      "src/agents/claw/",
      // Programs and homes of the demo, all inside its own temporary folder.
      "demo-agent/",
      "src/demo/",
    ],
  },
  {
    deed: "names a store's file",
    seen: /["'`/](?:hivemind\.(?:roles|sessions|teams|forks|queue|active|events|receipts|state|projects|moved|accounts|hooks|serve|fleet|keys)\b|tronMonitor\.env|otmux\.size)/,
    allowed: ["src/stores/"],
  },
  {
    deed: "prints",
    seen: /\bconsole\.|process\.std(?:out|err)\b/,
    allowed: ["src/cli/", "src/top/terminal/", "demo-agent/", "src/main.ts", "src/start.ts"],
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

/** Without line comments: a mention of an action is not the action. */
function code(text: string): string {
  return text.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
}

export const longestFile = 500;

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
      if (other) found.push(`[${number}] is in ${other} and in ${path}`);
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

export const longestFunction = 70;

/** Functions that do too much, or closures that should be split by noun. */
export function functionViolations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) {
        const lineAt = (place: number) => file.getLineAndCharacterOfPosition(place).line;
        const [first, last] = [lineAt(node.getStart(file)), lineAt(node.end)];
        if (last - first + 1 > longestFunction)
          found.push(`${path}:${first + 1} has a function of ${last - first + 1} lines`);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  });
}

export const largestRoom = 25;

/** Counts the files of one folder without tests, which are beside what they test. */
export function roomViolations(sources: readonly Source[]): string[] {
  const rooms = new Map<string, number>();
  for (const { path } of sources) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    rooms.set(folder, (rooms.get(folder) ?? 0) + 1);
  }
  return [...rooms]
    .filter(([, files]) => files > largestRoom)
    .map(([room, files]) => `${room} has ${files} files`);
}

/** `ls src/stores` is everything that is persisted: each file there is a store that `stores.ts` opens. */
export function storeViolations(sources: readonly Source[]): string[] {
  const list = "src/stores/stores.ts";
  const opened = importedPaths(list, sources.find(({ path }) => path === list)?.text ?? "");
  return sources
    .map(({ path }) => path)
    .filter((path) => /^src\/stores\/[^/]+$/.test(path) && path !== list && !opened.includes(path))
    .map((path) => `${path} is not a store that ${list} opens`);
}

/** A folder of `cli/` has the first word of its commands as its name, and has all commands that begin with it. */
export function commandViolations(sources: readonly Source[]): string[] {
  const homes = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, word] of text.matchAll(/^\s*words: ["`]([a-z]+)/gm)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      homes.set(folder, (homes.get(folder) ?? new Set()).add(word!));
    }
  }
  return [...homes].flatMap(([folder, words]) => {
    const name = folder.slice("src/cli/".length);
    const others = [...homes].filter(([other, theirs]) => other !== folder && theirs.has(name));
    return [
      ...(words.has(name) ? [] : [`${folder} has no command that begins with ${name}`]),
      ...others.map(([other]) => `${other} has a command that begins with ${name}`),
    ];
  });
}

/** Names that say nothing about the contents. */
export function nameViolations(sources: readonly Source[]): string[] {
  const empty = /\b(?:utils?|helpers?|services?|types|constants|managers?|common|misc)\b/i;
  return sources.map(({ path }) => path).filter((path) => empty.test(path));
}
