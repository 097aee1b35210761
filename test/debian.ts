// Real programs from Debian as judges: packages of a suite, with all the libraries they need, unpacked into a cache of our
// own. The machine's apt stays as it is: its lists and its state are not touched.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { programCache } from "./from-npm.js";

const run = promisify(execFile);

export type DebianSuite = "trixie" | "sid";

/** The root of the unpacked packages. If they cannot be had, that is an error, never a test that was left out. */
export async function unpackedFromDebian(suite: DebianSuite, name: string): Promise<string> {
  const root = join(programCache(), "debian", suite, name);
  if (existsSync(root)) return root;
  const work = mkdtempSync(join(tmpdir(), "hm-apt-"));
  try {
    mkdirSync(dirname(root), { recursive: true });
    // Unpacked beside, then renamed as a whole: two runs may both fetch, neither sees half a program.
    const beside = mkdtempSync(`${root}.`);
    for (const path of await fetchPackages(work, suite, name)) await run("dpkg", ["-x", path, beside]);
    try {
      renameSync(beside, root);
    } catch (error) {
      rmSync(beside, { recursive: true, force: true });
      if (!existsSync(root)) throw error;
    }
  } catch (cause) {
    throw new Error(`apt could not fetch ${name} of Debian ${suite}, and it must be tried`, { cause });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return root;
}

/** How the system runs a program with the libraries of that root. */
export function withOwnLibraries(root: string, program: string): string[] {
  const libraries = join(root, "usr", "lib", `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`);
  const loader = readdirSync(libraries).find((name) => /^ld-linux.*\.so\.\d$/.test(name));
  if (loader === undefined) throw new Error(`${root} has no C library`);
  return [join(libraries, loader), "--library-path", libraries, join(root, program)];
}

/** With an empty list of installed packages, apt fetches everything that the package depends on. */
async function fetchPackages(work: string, suite: DebianSuite, name: string): Promise<string[]> {
  for (const each of ["lists/partial", "cache/archives/partial"])
    mkdirSync(join(work, each), { recursive: true });
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(work, "sources.list"), `deb [signed-by=${keys}] ${await archive()} ${suite} main\n`);
  writeFileSync(join(work, "status"), "");
  const options = [
    `Dir::Etc::SourceList=${join(work, "sources.list")}`,
    "Dir::Etc::SourceParts=-",
    `Dir::State::Lists=${join(work, "lists")}`,
    `Dir::State::status=${join(work, "status")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  const fetch = ["install", "-y", "--no-install-recommends", "--download-only", name];
  await run("apt-get", [...options, "-q", "update"], { timeout: 200_000 });
  await run("apt-get", [...options, "-q", ...fetch], { timeout: 200_000 });
  const archives = join(work, "cache", "archives");
  const found = readdirSync(archives).filter((each) => each.endsWith(".deb"));
  if (found.length === 0) throw new Error("apt-get brought no package");
  return found.map((each) => join(archives, each));
}

/** Where this machine itself gets its packages of Debian. */
async function archive(): Promise<string> {
  const { stdout } = await run("apt-get", [
    "indextargets",
    "--format",
    "$(ORIGIN)|$(SUITE)|$(REPO_URI)",
    "Created-By: Packages",
  ]);
  const rows = stdout.split("\n").map((line) => line.split("|"));
  const found = rows.find(
    ([origin, suite]) => origin === "Debian" && !/security|updates|backports/.test(suite ?? ""),
  );
  if (found?.[2] === undefined) throw new Error("this machine has no source of Debian's packages");
  return found[2];
}
