import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { mainProgram } from "../command.js";
import { testHome } from "../home.js";

const damages: [string, (compiled: string) => void][] = [
  ["is there", () => {}],
  ["is missing", (compiled) => rmSync(compiled)],
  ["is empty", (compiled) => writeFileSync(compiled, "")],
  ["is something else", (compiled) => writeFileSync(compiled, "x".repeat(5000))],
];

test.each(damages)("the command runs if its compile cache %s", (name, damage) => {
  const home = testHome();
  const copy = join(home.root, name.replaceAll(" ", "-"));
  cpSync(dirname(mainProgram), copy, { recursive: true });
  for (const file of readdirSync(copy).filter((each) => each.endsWith(".cache"))) damage(join(copy, file));
  const said = execFileSync(process.execPath, [join(copy, "main.cjs"), "fingerprint", "/tmp"], {
    env: home.env,
    encoding: "utf8",
  });
  expect(said.trim()).toBe("7f7de39c4bcebddb");
});
