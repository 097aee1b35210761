import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { viewerProgram } from "../../src/doctor/viewer-program.js";
import { openWorld } from "../../src/doctor/world.js";
import { hivemind } from "../command.js";
import { testHome } from "../home.js";

test("GNU screen is asked for where a viewer is set up, and nowhere else", async () => {
  const home = testHome();
  const look = (PATH: string) => viewerProgram.look(openWorld({ env: { ...home.env, PATH } }));
  expect(await look("/nowhere")).toEqual([]);
  mkdirSync(home.config, { recursive: true });
  writeFileSync(join(home.config, "tronMonitor.env"), "1|web\n");
  expect(await look("/nowhere")).toMatchObject([{ level: "info", fix: "install the package screen" }]);
  expect(await look(home.env.PATH!)).toMatchObject([{ level: "ok" }]);
});

test("without GNU screen `monitor` says what to type, and the other commands work", () => {
  const home = testHome();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "apt-get"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(bin, "tmux"), '#!/bin/sh\nPATH=/usr/bin:/bin exec tmux "$@"\n', { mode: 0o755 });
  home.env.PATH = bin;
  const { code, stderr } = hivemind(home, ["monitor"]);
  expect(code).toBe(3);
  expect(stderr).toContain("the viewer needs GNU screen, and there is none in PATH");
  expect(stderr).toMatch(/install it: (?:sudo )?apt-get install screen$/m);
  expect(hivemind(home, ["status"])).toMatchObject({ code: 0 });
});
