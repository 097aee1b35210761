// Good and bad team files: what the reader reports for each, and where the schema is weaker.

export interface Sample {
  about: string;
  text: string;
  /** Without it the file is good. Otherwise the beginning of each problem, `line:column: …`. */
  problems?: readonly string[];
  /**
   * The schema accepts it although it is bad: the problem involves several places, or the value never gets to the
   * schema.
   */
  isBeyondSchema?: true;
}

const head = "project: web4\nagents:\n";
const lead = `${head}  lead:\n`;
const many = (count: number) => head + Array.from({ length: count }, (_, at) => `  agent${at}:\n`).join("");

export const goodFiles: readonly Sample[] = [
  { about: "the minimum", text: lead },
  { about: "a byte order mark", text: `\ufeff${lead}` },
  { about: "the line ends of Windows", text: lead.replaceAll("\n", "\r\n") },
  { about: "JSON, which is YAML", text: '{"project": "web4", "agents": {"lead": {"args": ["--verbose"]}}}' },
  { about: "a beginning of a document", text: `# mine\n---\n${lead}...\n` },
  { about: "fifty agents", text: many(50) },
  { about: "the maximum of agents", text: many(200) },
  { about: "empty defaults", text: `defaults:\n${lead}` },
  { about: "an account of its own", text: `${lead}    env: { CLAUDE_CONFIG_DIR: /srv/account/ }\n` },
  {
    about: "every key",
    text: `project: my.web
session: web4team
layout: main-vertical
defaults:
  kind: claude
  model: opus
  cwd: services
  prompt: roles/all.md
  permission_mode: acceptEdits
  args: [--verbose]
  env: { LANG: C.UTF-8 }
  start: resume
  restart: on-crash
  reports_to: lead
agents:
  lead:
  second:
    kind: claude
    model: claude-opus-4-8[1m]
    cwd: ~/src
    prompt: ~/roles/second.md
    permission_mode: plan
    args: ["--add-dir", "../shared", "--append-system-prompt", "one\\n\\ttwo"]
    env:
      PORT: "8080"
      EMPTY: ""
    fork: lead
    worktree: feature/login-2.0
    start: fresh
    restart: never
    reports_to: lead
  console:
    kind: shell
    cwd: /tmp
    env: { A: b }
    restart: on-crash
`,
  },
  {
    about: "a shell beside defaults that are about conversations",
    text: `defaults: { model: opus, args: [--verbose] }\n${head}  sh: { kind: shell }\n`,
  },
  {
    about: "an anchor and its aliases",
    text: `defaults: &all { model: opus }\n${head}  a: *all\n  b: *all\n`,
  },
  {
    about: "words that other YAML takes for something else",
    text: `${lead}    model: yes\n    env: { ON: off, AT: 12:30 }\n`,
  },
  { about: "forks of forks", text: `${head}  a: { fork: b }\n  b: { fork: c }\n  c:\n` },
];

export const badFiles: readonly Sample[] = [
  // The text itself.
  { about: "nothing", text: "", problems: ["1:1: it is not a team file"] },
  { about: "comments only", text: "# later\n", problems: ["1:1: it is not a team file"] },
  { about: "a list", text: "- lead\n- dev\n", problems: ["1:1: it is not a team file"] },
  { about: "a word", text: "web4", problems: ["1:1: it is not a team file"] },
  {
    about: "a tab for spaces",
    text: "project: web4\nagents:\n\tlead:\n",
    problems: ["3:1: a tab where YAML needs spaces"],
  },
  { about: "two documents", text: `${lead}---\n${lead}`, problems: ["4:1: a second document begins"] },
  { about: "an open bracket", text: `${lead}    args: [--verbose\n`, problems: ["5:1: "] },
  {
    about: "a control character",
    text: `${lead}    model: a\u0007b\n`,
    problems: ["4:13: there is a control character"],
  },
  { about: "NUL", text: `project: we\0b\n`, problems: ["1:12: there is a control character"] },
  {
    about: "an older YAML",
    text: `%YAML 1.1\n---\n${lead}`,
    problems: ["1:1: it is read as YAML 1.2"],
    isBeyondSchema: true,
  },
  { about: "a tag", text: `${lead}    model: !secret x\n`, problems: ["4:12: "], isBeyondSchema: true },
  { about: "brackets without end", text: "[".repeat(60_000), problems: ["1:1: it is nested too deeply"] },
  { about: "dashes without end", text: "- ".repeat(60_000), problems: ["1:1: it is nested too deeply"] },
  {
    about: "an alias of nothing",
    text: `${lead}    model: *none\n`,
    problems: ["4:12: there is no anchor `&none`"],
  },
  {
    about: "an alias of itself",
    text: `${lead}    args: &a [*a]\n`,
    problems: ["4:14: it is nested too deeply"],
  },
  {
    about: "aliases of aliases",
    text: `a: &a [x, x, x, x, x, x, x, x, x, x]\n${"bcdefghi".replace(/./g, (key, at: number) => `${key}: &${key} [${Array(10).fill(`*${"abcdefgh"[at]}`).join(", ")}]\n`)}`,
    problems: ["1:14: with its aliases expanded"],
  },
  {
    about: "a key twice",
    text: `project: a\nproject: b\n${lead}`,
    problems: [
      "2:1: `project` is given twice: first in line 1",
      "3:1: `project` is given twice: first in line 1",
    ],
    isBeyondSchema: true,
  },
  {
    about: "an agent twice",
    text: `${lead}  dev:\n  lead:\n`,
    problems: ["5:3: `lead` is given twice: first in line 3"],
    isBeyondSchema: true,
  },
  { about: "a key that is a list", text: `${lead}? [a]\n: b\n`, problems: ["4:3: a key must be plain text"] },

  // Keys.
  { about: "no project", text: "agents:\n  lead:\n", problems: ["1:1: `project` is missing"] },
  { about: "no agents", text: "project: web4\n", problems: ["1:1: `agents` is missing"] },
  { about: "agents without any", text: "project: web4\nagents: {}\n", problems: ["2:1: `agents` is empty"] },
  {
    about: "agents without a value",
    text: "project: web4\nagents:\n",
    problems: ["2:8: `agents` has no value"],
  },
  {
    about: "a list of agents",
    text: "project: web4\nagents:\n  - lead\n",
    problems: ["3:3: `agents` is a list: it must be a mapping"],
  },
  { about: "too many agents", text: many(201), problems: ["2:1: there are 201 agents"] },
  {
    about: "a typing error at the top",
    text: `${lead}layuot: tiled\n`,
    problems: ["4:1: `layuot` is not a key of a team file: did you mean `layout`?"],
  },
  {
    about: "a typing error of an agent",
    text: `${lead}    modle: opus\n`,
    problems: ["4:5: `modle` is not a key of an agent: did you mean `model`?"],
  },
  {
    about: "another spelling",
    text: `${lead}    permissionMode: plan\n`,
    problems: ["4:5: `permissionMode` is not a key of an agent: did you mean `permission_mode`?"],
  },
  {
    about: "another tool's word",
    text: `${lead}    role_prompt: x.md\n`,
    problems: ["4:5: `role_prompt` is not a key of an agent: here it is called `prompt`"],
  },
  {
    about: "an unknown word",
    text: `${lead}    colour: red\n`,
    problems: ["4:5: `colour` is not a key of an agent: the keys here are kind, model, cwd,"],
  },
  {
    about: "a key of agents at the top",
    text: `${lead}model: opus\n`,
    problems: ["4:1: `model` belongs under `defaults` or under an agent, not here"],
  },
  {
    about: "a key of the top at an agent",
    text: `${lead}    layout: tiled\n`,
    problems: ["4:5: `layout` belongs at the top of the file, not here"],
  },
  {
    about: "a fork for all",
    text: `defaults: { fork: lead }\n${lead}`,
    problems: ["1:13: `fork` belongs under an agent, not here"],
  },
  {
    about: "a merge key",
    text: `${lead}    <<: { model: opus }\n`,
    problems: ["4:5: `<<` is not a key of an agent"],
  },

  // Values.
  {
    about: "a number for text",
    text: `${lead}    model: 4\n`,
    problems: ['4:12: `model` must be text, but this is a number: put it in quotes, "4"'],
  },
  {
    about: "a version for text",
    text: "project: 4.0\nsession: a\nagents: { lead: }\n",
    problems: ['1:10: `project` must be text, but this is a number: put it in quotes, "4.0"'],
  },
  {
    about: "a boolean for text",
    text: `${lead}    env: { A: true }\n`,
    problems: ["4:15: `A` must be text, but this is a boolean"],
  },
  {
    about: "a number among arguments",
    text: `${lead}    args: [--port, 80]\n`,
    problems: ["4:20: an item of `args` must be text, but this is a number"],
  },
  { about: "no value", text: `${lead}    model:\n`, problems: ["4:11: `model` has no value"] },
  { about: "an empty text", text: `${lead}    model: ""\n`, problems: ["4:12: `model`: refused ``"] },
  {
    about: "a list for text",
    text: `${lead}    model: [opus]\n`,
    problems: ["4:12: `model` is a list: it must be text"],
  },
  {
    about: "text for a list",
    text: `${lead}    args: --verbose\n`,
    problems: ["4:11: `args` is a text: it must be a list"],
  },
  {
    about: "text for a mapping",
    text: `${lead}    env: A=b\n`,
    problems: ["4:10: `env` is a text: it must be a mapping"],
  },
  {
    about: "text for an agent",
    text: `${head}  lead: opus\n`,
    problems: ["3:9: `lead` needs its settings below it"],
  },
  {
    about: "text for the defaults",
    text: `defaults: opus\n${lead}`,
    problems: ["1:11: `defaults` is a text: it must be a mapping"],
  },
  {
    about: "an unknown kind",
    text: `${lead}    kind: cluade\n`,
    problems: ["4:11: `kind` cannot be `cluade`: did you mean `claude`?"],
  },
  {
    about: "an unknown layout",
    text: `${lead}layout: grid\n`,
    problems: ["4:9: `layout` cannot be `grid`: it is one of tiled, even-horizontal,"],
  },
  {
    about: "an unknown policy",
    text: `${lead}    restart: on_crsh\n`,
    problems: ["4:14: `restart` cannot be `on_crsh`: did you mean `on-crash`?"],
  },
  {
    about: "a project with a colon",
    text: "project: a:b\nsession: a\nagents: { lead: }\n",
    problems: ["1:10: `project`: refused `a:b`: a project id is"],
  },
  {
    about: "a project id that cannot name a tmux session",
    text: "project: web.4\nagents: { lead: }\n",
    problems: ["1:1: `web.4` cannot name a tmux session: add `session: web_4`"],
  },
  {
    about: "a session with a dot",
    text: `session: web.4\n${lead}`,
    problems: ["1:10: `session`: refused `web.4`: a team name is"],
  },
  {
    about: "an id with a space",
    text: `${head}  lead dev:\n`,
    problems: ["3:3: refused `lead dev`: a role starts with a letter"],
  },
  {
    about: "an id that is a number",
    text: `${head}  1:\n`,
    problems: ["3:3: refused `1`: a role starts with a letter"],
  },
  { about: "an id that is too long", text: `${head}  ${"a".repeat(41)}:\n`, problems: ["3:3: refused `aaa"] },
  {
    about: "a model that is an option",
    text: `${lead}    model: --resume\n`,
    problems: ["4:12: `model`: refused `--resume`"],
  },
  {
    about: "a row's delimiter in a model",
    text: `${lead}    model: a|b\n`,
    problems: ["4:12: `model`: refused `a|b`"],
  },
  {
    about: "an escaped control character",
    text: `${lead}    model: "a\\u001bb"\n`,
    problems: ["4:12: `model`: refused `a␛b`"],
  },
  {
    about: "an escaped NUL in an argument",
    text: `${lead}    args: ["a\\0b"]\n`,
    problems: ["4:12: an item of `args`: refused"],
  },
  {
    about: "an escaped bell in a value",
    text: `${lead}    env: { A: "\\a" }\n`,
    problems: ["4:15: `A`: refused"],
  },
  {
    about: "a path with a line break",
    text: `${lead}    cwd: "a\\nb"\n`,
    problems: ["4:10: `cwd`: refused"],
  },
  {
    about: "another user's home folder",
    text: `${lead}    cwd: ~bob/src\n`,
    problems: ["4:10: `cwd`: refused `~bob/src`: a path has"],
  },
  {
    about: "two words for a mode",
    text: `${lead}    permission_mode: accept edits\n`,
    problems: ["4:22: `permission_mode`: refused"],
  },
  {
    about: "a variable with a dash",
    text: `${lead}    env: { MY-VAR: a }\n`,
    problems: ["4:12: refused `MY-VAR`: a variable's name is"],
  },
  {
    about: "accounts that are not absolute paths",
    text: `defaults: { env: { CLAUDE_CONFIG_DIR: account } }\n${lead}    env: { CLAUDE_CONFIG_DIR: ~/account }\n  dev:\n    env: { CLAUDE_CONFIG_DIR: "" }\n`,
    problems: [
      "1:39: `CLAUDE_CONFIG_DIR`: refused `account`: it must be an absolute path, such as /home/me/account",
      "5:31: `CLAUDE_CONFIG_DIR`: refused `~/account`",
      "7:31: `CLAUDE_CONFIG_DIR`: refused",
    ],
  },
  {
    about: "a reserved variable",
    text: `${lead}    env: { HIVEMIND_ROLE: a }\n`,
    problems: ["4:12: refused `HIVEMIND_ROLE`"],
  },
  {
    about: "a variable of tmux",
    text: `${lead}    env: { TMUX_PANE: "%1" }\n`,
    problems: ["4:12: refused `TMUX_PANE`"],
  },
  ...[
    "a b",
    "-a",
    "/a",
    "a/",
    "a//b",
    "a..b",
    ".a",
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[b",
    "a\\b",
    "a@{1}",
    "@",
    "HEAD",
    "a.",
  ].map((branch) => ({
    about: `${branch} for a branch`,
    text: `${lead}    worktree: '${branch}'\n`,
    problems: ["4:15: `worktree`: refused"],
  })),
  ...[
    "--session-id",
    "--resume",
    "--resume=x",
    "-r",
    "-rx",
    "--continue",
    "-c",
    "--fork-session",
    "-n",
    "--name=a",
    "--model",
    "--model=opus",
    "--permission-mode=plan",
    "--",
  ].map((arg) => ({
    about: `${arg} among the arguments`,
    text: `${lead}    args: [--verbose, "${arg}"]\n`,
    problems: ["4:23: an item of `args`: refused"],
  })),

  // Settings that depend on each other.
  {
    about: "a fork of an unknown agent",
    text: `${head}  lead:\n  dev: { fork: laed }\n`,
    problems: ["4:10: `fork`: there is no agent `laed` in this file: did you mean `lead`?"],
    isBeyondSchema: true,
  },
  {
    about: "a fork of itself",
    text: `${head}  lead: { fork: lead }\n`,
    problems: ["3:11: `fork`: `lead` refers to itself"],
    isBeyondSchema: true,
  },
  {
    about: "a cycle of forks",
    text: `${head}  a: { fork: b }\n  b: { fork: c }\n  c: { fork: a }\n  d: { fork: a }\n`,
    problems: [
      "3:8: `fork`: the forks form a cycle, a ← b ← c ← a",
      "4:8: `fork`: the forks form a cycle, b ←",
      "5:8: `fork`: the forks form a cycle, c ←",
    ],
    isBeyondSchema: true,
  },
  {
    about: "a fork of a shell",
    text: `${head}  sh: { kind: shell }\n  dev: { fork: sh }\n`,
    problems: ["4:10: `fork`: a claude cannot start as a fork of `sh`, a shell"],
    isBeyondSchema: true,
  },
  {
    about: "a report to an unknown agent",
    text: `${lead}    reports_to: boss\n`,
    problems: ["4:5: `reports_to`: there is no agent `boss` in this file: there are no others"],
    isBeyondSchema: true,
  },
  {
    about: "a report to oneself",
    text: `${lead}    reports_to: lead\n`,
    problems: ["4:5: `reports_to`: `lead` refers to itself"],
    isBeyondSchema: true,
  },
  {
    about: "a default report to an unknown agent",
    text: `defaults: { reports_to: laed }\n${lead}`,
    problems: ["1:13: `reports_to`: there is no agent `laed` in this file: did you mean `lead`?"],
    isBeyondSchema: true,
  },
  ...["model: opus", "prompt: a.md", "permission_mode: plan", "args: [a]", "fork: lead", "start: fresh"].map(
    (setting) => ({
      about: `a shell with ${setting}`,
      text: `${lead}  sh:\n    kind: shell\n    ${setting}\n`,
      problems: [
        `6:5: \`sh\` is a shell, which has no conversation: \`${setting.split(":")[0]}\``,
        ...(setting.startsWith("fork") ? ["6:5: `fork`: a shell cannot start as a fork"] : []),
      ],
    }),
  ),
  {
    about: "a shell by default with a model",
    text: `defaults: { kind: shell }\n${lead}    model: opus\n`,
    problems: ["5:5: `lead` is a shell"],
    isBeyondSchema: true,
  },
  {
    about: "everything at once",
    text: "project: a b\nlayuot: tiled\ndefaults: { modle: x }\nagents:\n  1st:\n    model: 4\n    fork: zoe\n",
    problems: [
      "1:10: `project`",
      "2:1: `layuot`",
      "3:13: `modle`",
      "5:3: refused `1st`",
      "6:12: `model` must be text",
      "7:5: `fork`: there is no agent",
    ],
  },
];
