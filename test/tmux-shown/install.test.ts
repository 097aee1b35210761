// `hivemind tmux install` and `remove` on a real configuration file and a real tmux server.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

const conf = ({ home }: TestHome) => join(home, ".tmux.conf");
const own = "# mine\nset -g status-right 'up %H:%M #{pane_id}'\nset -g status-right-length 70\n";

/** Everything that install may change in a server, and the user's options in it. */
function serverOf({ tmux }: TestHome): string {
  return [
    ...[tmux("show-options", "-g"), tmux("show-options", "-gw"), tmux("show-options", "-s")],
    ...[tmux("show-options", "-A", "-t", "=web:"), tmux("show-options", "-p", "-t", "=web:")],
    tmux("list-keys"),
  ].join("\n");
}

function withTeam(text: string | null = own): TestHome {
  const home = testHome();
  if (text !== null) writeFileSync(conf(home), text, { mode: 0o640 });
  tmuxTeam(home, "web", 2);
  if (text !== null) home.tmux("source-file", conf(home));
  return home;
}

const option = ({ tmux }: TestHome, ...words: string[]) =>
  tmux("show-options", "-qv", ...words).replace(/\n$/, "");

test("install binds the key, adds to the status line and to the file; remove restores every byte and option", () => {
  const home = withTeam();
  const before = serverOf(home);
  const installed = hivemind(home, ["tmux", "install", "--borders"]);
  expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining("no watcher runs") });
  expect(installed.stdout).toContain(`installed in ${conf(home)} and in the running tmux server\n`);
  // tmux 3.8 has a column for flags before the table.
  expect(home.tmux("list-keys", "-T", "prefix", "h").replace(/ +/g, " ")).toBe(
    `bind-key -T prefix h display-popup -E -h "90%" -w "95%" "${process.execPath} ${mainProgram} top"\n`,
  );
  expect(option(home, "-g", "status-right")).toMatch(/^#\{\?@hivemind_status,.*\}up %H:%M #\{pane_id\}$/);
  expect(option(home, "-g", "status-right-length")).toBe("115");
  expect(option(home, "-gw", "pane-border-status")).toBe("top");
  expect(option(home, "-gw", "pane-border-format")).toContain("@hivemind_label");
  const text = readFileSync(conf(home), "utf8");
  expect(text.startsWith(`${own}# >>> hivemind tmux`)).toBe(true);
  expect(statSync(conf(home)).mode & 0o777).toBe(0o640);

  const after = serverOf(home);
  expect(hivemind(home, ["tmux", "install", "--borders"]).stdout).toMatch(/^already installed/);
  expect(hivemind(home, ["tmux", "install"]).stdout).toMatch(/^already installed/);
  expect([serverOf(home), readFileSync(conf(home), "utf8")]).toEqual([after, text]);

  expect(hivemind(home, ["tmux", "remove"])).toEqual({
    code: 0,
    stdout: `removed from ${conf(home)}\nremoved from the running tmux server\n`,
    stderr: "",
  });
  expect(serverOf(home)).toBe(before);
  expect(readFileSync(conf(home), "utf8")).toBe(own);
  expect(readdirSync(home.home).filter((name) => name.includes("tmux"))).toEqual([".tmux.conf"]);
  expect(hivemind(home, ["tmux", "remove"]).stdout).toBe(`nothing of hivemind in ${conf(home)}\n`);
});

test.each([
  ["with its own values", own],
  ["without any", "# nothing\n"],
])(
  "a server that reads the file %s is as the one it was installed in, also when it reads it again",
  (_, text) => {
    const home = withTeam(text);
    hivemind(home, ["tmux", "install", "--borders"]);
    const after = serverOf(home);
    const other = testHome();
    other.tmux("-f", conf(home), "new-session", "-d", "-x", "200", "-y", "50", "-s", "web", "cat");
    const inOrder = (printed: string) =>
      printed
        .split("\n")
        .filter((line) => /hivemind|status-right|pane-border/.test(line))
        .sort();
    expect(inOrder(serverOf(other))).toEqual(inOrder(after));
    other.tmux("source-file", conf(home));
    expect(inOrder(serverOf(other))).toEqual(inOrder(after));
    const plain = testHome();
    tmuxTeam(plain, "web");
    plain.tmux("source-file", writeBefore(plain, text));
    expect(hivemind(other, ["tmux", "remove"]).code).toBe(0);
    expect(serverOf(other)).toBe(serverOf(plain));
  },
);

function writeBefore(home: TestHome, text: string): string {
  const path = join(home.root, "before.conf");
  writeFileSync(path, text);
  return path;
}

test("a file that did not exist is made, and removed again", () => {
  const home = withTeam(null);
  const before = [serverOf(home), readdirSync(home.home)];
  expect(hivemind(home, ["tmux", "install"]).code).toBe(0);
  expect(existsSync(conf(home))).toBe(true);
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  expect([serverOf(home), readdirSync(home.home).filter((name) => name !== "config")]).toEqual(before);
});

test.each([["# no end"], ["\n"], [""], ["set -g @a 'ü'\r\n"]])("a file %j comes back as it was", (text) => {
  const home = withTeam(text);
  expect(hivemind(home, ["tmux", "install"]).code).toBe(0);
  expect(readFileSync(conf(home), "utf8")).not.toBe(text);
  home.tmux("source-file", conf(home));
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  expect(readFileSync(conf(home), "utf8")).toBe(text);
});

test("a link is followed and stays; of several files the last that tmux reads is used", () => {
  const home = withTeam();
  const folder = join(home.home, ".config", "tmux");
  mkdirSync(folder, { recursive: true });
  const dotfile = join(home.root, "dotfile");
  writeFileSync(dotfile, own);
  symlinkSync(dotfile, join(folder, "tmux.conf"));
  expect(hivemind(home, ["tmux", "install"]).stdout).toContain(join(folder, "tmux.conf"));
  expect(readFileSync(dotfile, "utf8")).toContain("hivemind");
  expect(readFileSync(conf(home), "utf8")).toBe(own);
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  expect(readFileSync(dotfile, "utf8")).toBe(own);
  expect(lstatSync(join(folder, "tmux.conf")).isSymbolicLink()).toBe(true);
});

test("a key that is bound already is refused with its command and a free key; nothing changes", () => {
  const home = withTeam();
  home.tmux("bind-key", "h", "select-pane", "-L");
  const before = serverOf(home);
  const refused = hivemind(home, ["tmux", "install"]);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
  expect(refused.stderr).toBe(
    "hivemind: prefix + h is bound already: select-pane -L\n" +
      "  choose another key: hivemind tmux install --key a\n",
  );
  expect(hivemind(home, ["tmux", "install", "--key", "c"]).stderr).toContain(
    "prefix + c is bound already: new-window",
  );
  expect(hivemind(home, ["tmux", "install", "--key", "no such"]).code).toBe(2);
  expect([serverOf(home), readFileSync(conf(home), "utf8")]).toEqual([before, own]);
  expect(hivemind(home, ["tmux", "install", "--key", "a"]).code).toBe(0);
  expect(home.tmux("list-keys", "-T", "prefix", "a")).toContain("display-popup");
  // Another key later: the first one is free again.
  expect(hivemind(home, ["tmux", "install", "--key", "M-h"]).code).toBe(0);
  expect(() => home.tmux("list-keys", "-T", "prefix", "a")).toThrow();
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  expect(serverOf(home)).toBe(before);
});

test("what the user changed since the install stays", () => {
  const home = withTeam();
  hivemind(home, ["tmux", "install", "--borders"]);
  home.tmux("set-option", "-ga", "status-right", " later");
  home.tmux("set-option", "-g", "status-right-length", "99");
  home.tmux("set-option", "-gw", "pane-border-format", "theirs");
  writeFileSync(conf(home), `${readFileSync(conf(home), "utf8")}# later\n`);
  expect(hivemind(home, ["tmux", "remove"]).code).toBe(0);
  expect(option(home, "-g", "status-right")).toBe("up %H:%M #{pane_id} later");
  expect(option(home, "-g", "status-right-length")).toBe("99");
  expect(option(home, "-gw", "pane-border-format")).toBe("theirs");
  expect(readFileSync(conf(home), "utf8")).toBe(`${own}# later\n`);
});

test("broken marker lines, and no server, are refused; nothing changes", () => {
  const home = withTeam(`${own}# <<< hivemind tmux\n`);
  const before = serverOf(home);
  for (const verb of ["install", "remove"])
    expect(hivemind(home, ["tmux", verb])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("marker lines"),
    });
  expect(serverOf(home)).toBe(before);
  const alone = testHome();
  expect(hivemind(alone, ["tmux", "install"])).toEqual({
    code: 3,
    stdout: "",
    stderr: expect.stringContaining("no tmux server runs"),
  });
  expect(hivemind(alone, ["tmux", "remove"])).toMatchObject({ code: 0 });
  expect([readdirSync(alone.home), existsSync(alone.socket)]).toEqual([[], false]);
});

test("status says what the file and the server have", () => {
  const home = withTeam();
  const found = () => json(home, ["tmux", "status"]);
  expect(found()).toEqual({
    version: 1,
    config: { path: conf(home), state: "absent", why: null },
    server: { state: "absent", key: null, hasBorders: false, status: "" },
    watcher: null,
  });
  hivemind(home, ["tmux", "install", "--borders"]);
  expect(found()).toMatchObject({
    config: { state: "installed" },
    server: { state: "installed", key: "h", hasBorders: true },
  });
  expect(hivemind(home, ["tmux", "status"]).stdout).toMatch(
    /configuration +installed .*\ntmux server +installed +prefix \+ h, borders\nwatcher +none\n\nno watcher runs.*hivemind watch/,
  );
  home.tmux("kill-server");
  expect(found()).toMatchObject({ config: { state: "installed" }, server: { state: "not running" } });
});
