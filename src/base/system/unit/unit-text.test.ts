// The files of both managers, read back as their manuals say.

import fc from "fast-check";
import { expect, test } from "vitest";
import { plistText } from "./launchd-text.js";
import { unitText } from "./systemd-text.js";
import { readMade, type UnitWish } from "./unit.js";

const plain: UnitWish = {
  name: "hivemind-watch",
  madeBy: ["hivemind watch install", "hivemind watch remove"],
  about: "hivemind: deliver messages and save the teams",
  program: ["/usr/bin/node", "/usr/lib/node_modules/hivemind/dist/main.cjs", "watch"],
  variables: new Map([["PATH", "/usr/bin:/bin"]]),
  logPath: "/home/ann/config/hivemind.watch.log",
  madeFolders: 2,
};

test("a systemd unit, whole", () => {
  expect(unitText(plain)).toBe(
    `# hivemind made this file and 2 folders around it
# Made by: hivemind watch install
# Removed by: hivemind watch remove
[Unit]
Description=hivemind: deliver messages and save the teams
# After 10 failures in 10 minutes systemd gives up.
StartLimitIntervalSec=600
StartLimitBurst=10

[Service]
Type=exec
ExecStart=":/usr/bin/node" "/usr/lib/node_modules/hivemind/dist/main.cjs" "watch"
Environment="PATH=/usr/bin:/bin"
Restart=on-failure
RestartSec=10
# Only the program itself ends with this unit: a tmux server that it started goes on.
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=default.target
`,
  );
});

test("a launchd agent, whole", () => {
  expect(plistText(plain)).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- hivemind made this file and 2 folders around it -->
<!-- Made by: hivemind watch install -->
<!-- Removed by: hivemind watch remove -->
<plist version="1.0">
<dict>
  <key>Label</key><string>hivemind-watch</string>
  <key>ProgramArguments</key>
  <array>
    <string>/usr/bin/node</string>
    <string>/usr/lib/node_modules/hivemind/dist/main.cjs</string>
    <string>watch</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>PATH</key><string>/usr/bin:/bin</string>
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key><false/>
  </dict>
  <key>ThrottleInterval</key><integer>10</integer>
  <key>AbandonProcessGroup</key><true/>
  <key>StandardOutPath</key><string>/home/ann/config/hivemind.watch.log</string>
  <key>StandardErrorPath</key><string>/home/ann/config/hivemind.watch.log</string>
</dict>
</plist>
`,
  );
});

test.each([
  ["a blank", "/a b/c", '"/a b/c"'],
  ["a specifier", "/50%h", '"/50%%h"'],
  ["a variable: the `:` before the program makes it a word like any other", "/$HOME", '"/$HOME"'],
  ["a backslash", "/a\\nb", '"/a\\\\nb"'],
  ["a double quote", '/a"b', '"/a\\"b"'],
  ["a single quote", "/a'b", `"/a'b"`],
  ["a sign for comments", "#;a", '"#;a"'],
  ["a backslash at the end, which would join the next line", "/a\\", '"/a\\\\"'],
  ["other letters", "/ü/猫", '"/ü/猫"'],
  ["nothing", "", '""'],
])("%s stays one word of a unit", (_, word, expected) => {
  const text = unitText({ ...plain, program: ["/bin/node", word] });
  expect(text).toContain(`\nExecStart=":/bin/node" ${expected}\n`);
});

test("systemd refuses a program with a quote or a backslash in its path: sh starts it", () => {
  const text = unitText({ ...plain, program: [`/a "b"/node`, "watch"] });
  expect(text).toContain(`\nExecStart=":/bin/sh" "-c" "exec \\"$0\\" \\"$@\\"" "/a \\"b\\"/node" "watch"\n`);
});

test.each([
  ["a line break", "/a\nExecStart=/bin/evil"],
  ["a carriage return", "/a\rb"],
  ["a tab", "/a\tb"],
  ["NUL", "/a\0b"],
  ["half a character", "/a\ud800"],
])("%s in a value is refused in both files", (_, value) => {
  for (const wish of [
    { ...plain, program: ["/bin/node", value] as const },
    { ...plain, variables: new Map([["NOTIFY", value]]) },
  ])
    for (const textOf of [unitText, plistText]) expect(() => textOf(wish)).toThrow(/cannot hold this value/);
});

const signs = fc.constantFrom(
  ..."ab/ .-_=:$%\\\"'#;`!~*?[]{}()<>&|@ü猫🐝",
  "$HOME",
  "%h",
  "\\n",
  "--",
  "]]>",
);
const value = fc.array(signs, { maxLength: 12 }).map((parts) => parts.join(""));
const path = value.map((text) => `/${text}`);
const wishes = fc.record({
  program: fc
    .tuple(path, fc.array(value, { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest] as const),
  variables: fc
    .dictionary(fc.constantFrom("PATH", "HOME", "HIVEMIND_TEAMS", "LC_ALL"), value)
    .map((all) => new Map(Object.entries(all))),
});

test("systemd reads every word and every variable of a unit as it was given", () => {
  fc.assert(
    fc.property(wishes, ({ program, variables }) => {
      const text = unitText({ ...plain, program, variables });
      const [started, ...more] = valuesIn(text, "ExecStart").map(wordsOf);
      expect(more).toEqual([]);
      const [first, ...rest] = started!;
      expect(first!.startsWith(":")).toBe(true);
      const argv = [first!.slice(1), ...rest];
      // What systemd refuses in the path of a program: string_is_safe.
      expect(argv[0]).not.toMatch(/["'\\]/);
      const isByShell = argv[0] === "/bin/sh" && /["'\\]/.test(program[0]);
      expect(isByShell ? argv.slice(3) : argv).toEqual(program);
      const set = valuesIn(text, "Environment").flatMap(wordsOf);
      expect(set).toEqual([...variables].map(([name, each]) => `${name}=${each}`));
      expect(text.split("\n").filter((line) => line.endsWith("\\"))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("launchd reads every word and every variable of an agent as it was given", () => {
  fc.assert(
    fc.property(wishes, ({ program, variables }) => {
      const text = plistText({ ...plain, program, variables });
      const array = /<array>\n([\s\S]*?)\n {2}<\/array>/.exec(text)![1]!;
      expect(stringsIn(array)).toEqual(program);
      const dict = /EnvironmentVariables<\/key>\n {2}<dict>\n([\s\S]*?) {2}<\/dict>/.exec(text)![1]!;
      expect(stringsIn(dict)).toEqual([...variables.values()]);
    }),
    { numRuns: 500 },
  );
});

test("a file of ours is known again, with the folders that were made for it", () => {
  expect([unitText(plain), plistText(plain)].map(readMade)).toEqual([2, 2]);
  expect(readMade("[Service]\nExecStart=/bin/true\n")).toBeNull();
  expect(readMade("# not hivemind made this file and 2 folders around it\n")).toBeNull();
});

function valuesIn(text: string, key: string): string[] {
  return text.split("\n").flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));
}

/** Words as systemd.syntax(7) has them: quotes around a whole word, escapes with a backslash, %% for a per cent sign. */
function wordsOf(text: string): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const word = /^"((?:[^"\\]|\\["\\])*)"(?: |$)/.exec(rest);
    if (word === null) throw new Error(`not a word: ${rest}`);
    const unescaped = word[1]!.replaceAll(/\\(.)/g, "$1");
    if (/%(?!%)/.test(unescaped.replaceAll("%%", ""))) throw new Error(`a specifier: ${rest}`);
    found.push(unescaped.replaceAll("%%", "%"));
    rest = rest.slice(word[0].length);
  }
  return found;
}

function stringsIn(xml: string): string[] {
  return [...xml.matchAll(/<string>([^<]*)<\/string>/g)].map(([, text]) => {
    if (/&(?!amp;|lt;|gt;)/.test(text!)) throw new Error(`not XML: ${text}`);
    return text!.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  });
}
