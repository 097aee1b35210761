import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installCommand } from "./install-command.js";

test.runIf(process.platform === "linux").each([
  ["apt-get", false, "sudo apt-get install screen"],
  ["apt-get", true, "apt-get install screen"],
  ["dnf", false, "sudo dnf install screen"],
  ["pacman", true, "pacman -S screen"],
  ["apk", true, "apk add screen"],
  ["brew", false, "brew install screen"],
  ["nothing", true, "install the package screen"],
])("with %s, as root: %s, a person types %j", (manager, isRoot, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "hm-install-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, manager), "#!/bin/sh\n", { mode: 0o755 });
  expect(installCommand("screen", { PATH: folder }, isRoot)).toBe(expected);
});
