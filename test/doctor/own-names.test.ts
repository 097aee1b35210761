import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownNames } from "../../src/doctor/own-names.js";
import { openWorld } from "../../src/doctor/world.js";
import { mainProgram } from "../command.js";
import { type TestHome, testHome } from "../home.js";

/** Folders of PATH with programs; each leaves a mark when it runs. */
function placed(home: TestHome) {
  const mark = join(home.root, "ran");
  const folder = (name: string) => {
    const path = join(home.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    mark,
    folder,
    foreign(where: string, name: string) {
      const path = join(folder(where), name);
      writeFileSync(path, `#!/bin/sh\n: >${mark}\n`, { mode: 0o755 });
      return path;
    },
    link(where: string, name: string, to: string) {
      symlinkSync(to, join(folder(where), name));
      return join(home.root, where, name);
    },
    /** As npm lays out a global installation. */
    install(where: string, version: string) {
      const package_ = join(folder(where), "lib", "node_modules", "hivemind");
      mkdirSync(join(package_, "dist"), { recursive: true });
      cpSync(mainProgram, join(package_, "dist", "main.cjs"));
      const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
      writeFileSync(join(package_, "package.json"), JSON.stringify({ ...about, version }));
      return join(package_, "dist", "main.cjs");
    },
  };
}

async function found(home: TestHome, program: string, ...folders: string[]) {
  const PATH = folders.map((name) => join(home.root, name)).join(":");
  return ownNames.look(openWorld({ env: { ...home.env, PATH }, program }));
}

test("a program of the same name is named with its path, and is not run", async () => {
  const home = testHome();
  const { mark, foreign, install, link } = placed(home);
  const program = install("ours", "0.2.0");
  const own = link("bin", "hivemind", program);
  const other = foreign("brew", "hivemind");
  const short = foreign("brew", "hm");
  expect(await found(home, own, "bin", "brew")).toMatchObject([
    { message: `hm is another program: ${short}` },
  ]);
  expect(await found(home, own, "brew", "bin")).toMatchObject([
    { level: "warning", message: `in your shell, hivemind is another program: ${other}; this one is ${own}` },
    { level: "info", message: `hm is another program: ${short}` },
  ]);
  expect(() => readFileSync(mark)).toThrow();
});

test("links and scripts that lead to this program are this program; another version is one by its files", async () => {
  const home = testHome();
  const { folder, install, link } = placed(home);
  const program = install("ours", "0.2.0");
  link("bin", "hivemind", program);
  link("bin", "hm", link("bin", "second", program));
  const old = link("old", "hivemind", install("older", "0.1.0"));
  const script = join(folder("scripts"), "hivemind");
  writeFileSync(script, `#!/bin/sh\nexec node '${program}' "$@"\n`, { mode: 0o755 });
  expect(await found(home, program, "bin")).toEqual([]);
  expect(await found(home, program, "scripts", "bin")).toEqual([]);
  expect(await found(home, program, "bin", "old")).toMatchObject([
    { level: "info", message: expect.stringContaining(`not ${old} (0.1.0)`) },
  ]);
  expect(await found(home, program, "old", "bin")).toMatchObject([
    { level: "warning", message: expect.stringContaining(`version 0.1.0 (${old})`) },
  ]);
});
