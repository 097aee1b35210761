// The newest nats-server that Debian has: the package of sid, unpacked into a cache of our own. The machine's apt stays
// as it is: its lists and its state are not touched.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { programCache } from "../from-npm.js";

const run = promisify(execFile);

/** The path of the program. If it cannot be had, that is an error, never a test that was left out. */
export async function newestServer(): Promise<string> {
  const folder = join(programCache(), "nats", "sid");
  const program = join(folder, "usr", "sbin", "nats-server");
  if (existsSync(program)) return program;
  const work = mkdtempSync(join(tmpdir(), "hm-apt-"));
  try {
    const unpacked = join(work, "unpacked");
    await run("dpkg", ["-x", await fetchPackage(work), unpacked]);
    mkdirSync(dirname(folder), { recursive: true });
    // Copied beside, then renamed as a whole: two runs may both fetch, neither sees half a program.
    const beside = mkdtempSync(`${folder}.`);
    await run("cp", ["-a", `${unpacked}/.`, beside]);
    try {
      renameSync(beside, folder);
    } catch (error) {
      rmSync(beside, { recursive: true, force: true });
      if (!existsSync(program)) throw error;
    }
  } catch (cause) {
    throw new Error("apt could not fetch nats-server of Debian sid, and the newest server must be tried", {
      cause,
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return program;
}

async function fetchPackage(work: string): Promise<string> {
  const state = ["lists/partial", "cache/archives/partial", "download"];
  for (const each of state) mkdirSync(join(work, each), { recursive: true });
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(work, "sources.list"), `deb [signed-by=${keys}] ${await archive()} sid main\n`);
  const options = [
    `Dir::Etc::SourceList=${join(work, "sources.list")}`,
    "Dir::Etc::SourceParts=-",
    `Dir::State::Lists=${join(work, "lists")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "APT::Sandbox::User=root",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  await run("apt-get", [...options, "-q", "update"], { timeout: 200_000 });
  const cwd = join(work, "download");
  await run("apt-get", [...options, "-q", "download", "nats-server"], { cwd, timeout: 200_000 });
  const found = readdirSync(cwd).find((name) => name.endsWith(".deb"));
  if (found === undefined) throw new Error("apt-get download brought no package");
  return join(cwd, found);
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
