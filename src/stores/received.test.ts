import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentsOf } from "../../test/contents.js";
import { testHome } from "../../test/home.js";
import type { Host, TeamName } from "../names/gates.js";
import { openReceived, type Put, pageIn } from "./received.js";
import type { BundleFile, Manifest } from "./text/bundle.js";

const beta = { host: "beta" as Host };
const [teams, roles, forks] = ["hivemind.teams.env", "hivemind.roles.env", "hivemind.forks.env"];

function pulled() {
  const { config } = testHome();
  return { folder: join(config, "hivemind.pulled"), store: openReceived(join(config, "hivemind.pulled")) };
}

function pageOf(texts: Record<string, string>): Manifest {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    sizeBytes: text.length,
    sha256: createHash("sha256").update(text).digest("hex"),
  }));
  return {
    version: 1,
    host: beta.host,
    packedAt: "2026-04-22T08:52:40Z",
    savedAt: null,
    teams: ["web" as TeamName],
    files,
  };
}

async function* of(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

/** Fetches every wanted file; returns their paths. */
async function receive(
  { store }: ReturnType<typeof pulled>,
  texts: Record<string, string>,
): Promise<string[]> {
  let asked: string[] = [];
  await store.receive(beta, pageOf(texts), async (wanted, put) => {
    asked = wanted.map(({ path }) => path);
    for (const file of wanted) await put(file, of(...texts[file.path]!));
  });
  return asked;
}

/** A run that ends after its first file. */
async function breakOff({ store }: ReturnType<typeof pulled>, texts: Record<string, string>): Promise<void> {
  const broken = store.receive(beta, pageOf(texts), async ([first], put) => {
    await put(first!, of(texts[first!.path]!));
    throw new Error("dropped");
  });
  await expect(broken).rejects.toThrow("dropped");
}

test("a bundle is there once it is complete, private to its owner", async () => {
  const all = pulled();
  const texts = { [teams!]: "web|\n", [roles!]: "" };
  expect(await receive(all, texts)).toEqual([teams, roles]);
  const { "box.json": page, ...files } = contentsOf(join(all.folder, "beta"));
  expect(files).toEqual(texts);
  expect(pageIn(join(all.folder, "beta"))).toEqual(pageOf(texts));
  expect(page).toContain('"host": "beta"');
  expect(statSync(join(all.folder, "beta", teams!)).mode & 0o077).toBe(0);
  expect(readdirSync(all.folder)).toEqual(["beta"]);
});

test("an interrupted run leaves the previous bundle, and none if there was none", async () => {
  const all = pulled();
  await breakOff(all, { [teams!]: "web|\n", [roles!]: "" });
  expect(existsSync(join(all.folder, "beta"))).toBe(false);
  await receive(all, { [teams!]: "old|\n" });
  const before = contentsOf(join(all.folder, "beta"));
  await breakOff(all, { [teams!]: "web|\n", [roles!]: "" });
  expect(contentsOf(join(all.folder, "beta"))).toEqual(before);
});

test("files that are not in the new bundle are gone from its folder", async () => {
  const all = pulled();
  await receive(all, { [teams!]: "web|\n", [roles!]: "web:0.0|lead\n" });
  await receive(all, { [teams!]: "web|\n" });
  expect(Object.keys(contentsOf(join(all.folder, "beta"))).sort()).toEqual(["box.json", teams]);
});

test("an incomplete transfer is refused", async () => {
  const { store } = pulled();
  const nothing = store.receive(beta, pageOf({ [teams!]: "web|\n" }), async () => {});
  await expect(nothing).rejects.toThrow("1 files of the bundle did not arrive");
});

test("a second run fetches only changes; files of an interrupted run count", async () => {
  const all = pulled();
  const texts = { [teams!]: "web|\n", [roles!]: "web:0.0|lead\n", [forks!]: "#\n" };
  await breakOff(all, texts);
  expect(await all.store.missing(beta, pageOf(texts))).toHaveLength(2);
  expect(await receive(all, texts)).toEqual([roles, forks]);
  expect(await receive(all, texts)).toEqual([]);
  const changed = { ...texts, [roles!]: "web:0.0|boss\n" };
  expect(await receive(all, changed)).toEqual([roles]);
  expect(contentsOf(join(all.folder, "beta"))).toMatchObject(changed);
});

test("a file that arrives damaged is refused, and fetched again", async () => {
  const all = pulled();
  const texts = { [teams!]: "web|\n" };
  const damaged = (bytes: string) =>
    all.store.receive(beta, pageOf(texts), async ([file]: readonly BundleFile[], put: Put) =>
      put(file!, of(bytes)),
    );
  for (const bytes of ["xeb|\n", "web", "web|\n\n"])
    await expect(damaged(bytes)).rejects.toThrow("arrived damaged");
  expect(await receive(all, texts)).toEqual([teams]);
});

test("half a file of a killed run is not used", async () => {
  const all = pulled();
  const texts = { [teams!]: "web|\n", [roles!]: "web:0.0|lead\n" };
  await breakOff(all, texts);
  writeFileSync(join(all.folder, ".beta.arriving", roles!), "web:0.0|l");
  writeFileSync(join(all.folder, ".beta.arriving", `${forks}.part`), "half");
  expect(await receive(all, texts)).toEqual([roles]);
  expect(Object.keys(contentsOf(join(all.folder, "beta")))).toHaveLength(3);
});

test("a team's bundle is beside that of its host; a name that leads elsewhere is refused", () => {
  const { folder, store } = pulled();
  expect(store.folderOf({ ...beta, team: "web" as TeamName })).toBe(join(folder, "beta.web"));
  for (const host of ["..", ".", ".beta"])
    expect(() => store.folderOf({ host: host as Host })).toThrow("refused");
});

test("a linked folder is refused", async () => {
  const { root } = testHome();
  symlinkSync(root, join(root, "linked"));
  const nothing = openReceived(join(root, "linked")).receive(beta, pageOf({}), async () => {});
  await expect(nothing).rejects.toThrow("symbolic link");
});
