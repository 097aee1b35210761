import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type TestHome, testHome } from "../../test/home.js";
import type { TeamName } from "../names/gates.js";
import { openStores } from "../stores/stores.js";
import { readStored } from "./stored.js";

const lost = "lost" as TeamName;

function asked(home: TestHome, env: Record<string, string> = {}) {
  const said: string[] = [];
  const stores = openStores({ ...home.env, ...env });
  const stored = readStored(
    stores,
    () => null,
    (line) => said.push(line),
  );
  return { isKept: stored.isKept(lost), isBlind: stored.isBlind(), said };
}

function projectAt(home: TestHome, folder: string): void {
  mkdirSync(home.config, { recursive: true });
  writeFileSync(join(home.config, "hivemind.projects.env"), `site|${folder}\n`);
}

const filed = (made: (folder: string) => void) => {
  const home = testHome();
  const folder = join(home.work, "site");
  projectAt(home, folder);
  made(folder);
  return { folder, seen: asked(home) };
};

test("a project whose file does not have the team hides nothing", () => {
  const { seen } = filed((folder) => {
    mkdirSync(folder);
    writeFileSync(join(folder, "hivemind.yaml"), "project: site\nsession: site\n");
  });
  expect(seen).toEqual({ isKept: false, isBlind: false, said: [] });
});

test.each<[string, (folder: string) => void]>([
  ["that is missing", () => {}],
  ["that is empty", (folder) => mkdirSync(folder)],
  ["that is a link to itself", (folder) => symlinkSync(folder, folder)],
  [
    "whose file is a broken link",
    (folder) => {
      mkdirSync(folder);
      symlinkSync(join(folder, "none"), join(folder, "hivemind.yaml"));
    },
  ],
])("a project folder %s may have any team, and is reported", (_, made) => {
  const { folder, seen } = filed(made);
  expect(seen.isBlind).toBe(true);
  expect(seen.said).toEqual([expect.stringContaining(folder)]);
});

test("a team file is read once for any number of teams", () => {
  const home = testHome();
  projectAt(home, home.work);
  mkdirSync(home.work, { recursive: true });
  const path = join(home.work, "hivemind.yaml");
  writeFileSync(path, "project: site\nsession: lost\n");
  const stored = readStored(
    openStores(home.env),
    () => null,
    () => {},
  );
  expect(stored.isKept("other" as TeamName)).toBe(false);
  writeFileSync(path, "project: site\nsession: other\n");
  expect(["other", "lost", "site"].map((team) => stored.isKept(team as TeamName))).toEqual([
    false,
    true,
    true,
  ]);
});

test.each(["HIVEMIND_SNAPSHOT_DIR", "OTMUX_LAYOUT_DIR"])(
  "a missing folder in %s may have any team",
  (variable) => {
    const home = testHome();
    const folder = join(home.root, "disk");
    mkdirSync(home.config);
    expect(asked(home).isBlind).toBe(false);
    expect(asked(home, { [variable]: folder }).isBlind).toBe(true);
    mkdirSync(folder);
    expect(asked(home, { [variable]: folder })).toEqual({ isKept: false, isBlind: false, said: [] });
  },
);
