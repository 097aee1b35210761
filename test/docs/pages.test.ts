// The pages that say what the program is made of say it as the program does.

import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { commandsPage, commandsPath } from "../../scripts/commands-page.js";
import { kindsPage, kindsPath } from "../../scripts/kinds-page.js";
import { serveOptions } from "../../src/cli/serve/wishes.js";
import { storePaths } from "../../src/stores/file/folder.js";

test("docs/commands.md is what `npm run docs` makes of the commands", () =>
  expect(readFileSync(commandsPath, "utf8")).toBe(commandsPage()));

test("docs/kinds.md is what `npm run docs` makes of the abilities", () =>
  expect(readFileSync(kindsPath, "utf8")).toBe(kindsPage()));

test("the recording of the README moves without a script, can stand still, and loads fast", () => {
  const svg = readFileSync(new URL("../../docs/images/top.svg", import.meta.url), "utf8");
  expect(svg).toContain("@media(prefers-reduced-motion:reduce)");
  expect(svg.match(/<script|\bon\w+=|@import|url\(|https?:(?!\/\/www\.w3\.org\/2000\/svg)/g)).toBeNull();
  expect(Buffer.byteLength(svg)).toBeLessThan(300_000);
});

test.each(["board", "inbox-phone", "lineage", "agent"])("the picture %s is a PNG that loads fast", (name) => {
  const bytes = readFileSync(new URL(`../../docs/images/${name}.png`, import.meta.url));
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect(bytes.length).toBeLessThan(200_000);
});

test("docs/serve.md names every option of `hivemind serve`", () => {
  const page = readFileSync(new URL("../../docs/serve.md", import.meta.url), "utf8");
  expect(serveOptions.filter(({ name }) => !page.includes(`--${name}`))).toEqual([]);
});

test("docs/files.md names every file and folder that hivemind keeps", () => {
  const page = readFileSync(new URL("../../docs/files.md", import.meta.url), "utf8");
  const { folder: _, snapshotFolder: __, ...paths } = storePaths({ HIVEMIND_CONFIG_DIR: "/config" });
  const missing = Object.values(paths).filter((path) => !page.includes(basename(path)));
  expect(missing).toEqual([]);
});

test("docs/incidents.md names parts of the source that exist", () => {
  const page = readFileSync(new URL("../../docs/incidents.md", import.meta.url), "utf8");
  const named =
    page.match(/\b(?:agents|base|cli|fleet|messages|stores|teams|tmux|up|watch)\/[a-z]+(?:[-/][a-z]+)*/g) ??
    [];
  const at = (path: string) => new URL(`../../src/${path}`, import.meta.url);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(at(path)) && !existsSync(at(`${path}.ts`)))).toEqual([]);
});
