// Makes test/kinds/codex/screens again from the real program: `npx tsx test/kinds/codex/capture.ts [scene…]`.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../../home.js";
import { type CodexWorld, makeCodex } from "./driver.js";
import { type Scene, scenes } from "./scenes.js";

// A path that stands on the screens: it must not tell where they were made.
const cwd = "/tmp/hm-codex";
const screens = fileURLToPath(new URL("screens", import.meta.url));

async function capture(scene: Scene): Promise<void> {
  const { name, play, prepare, ...options } = scene;
  const world: CodexWorld = await makeCodex();
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  try {
    const prepared = (await prepare?.(world, cwd)) ?? {};
    const codex = await world.start({ cwd, width: 80, height: 24, ...options, ...prepared });
    await play(codex, world.api);
    let before = "";
    const isQuiet = () => {
      const now = codex.screenWithColours().join("\n");
      const same = now.replace(/\d+s/g, "") === before.replace(/\d+s/g, "");
      before = now;
      return same ? now : null;
    };
    const text = await until("a quiet screen", isQuiet, 30_000, 500);
    writeFileSync(join(screens, `${name}.txt`), `${text}\n`);
    console.log(`${name}: ${codex.title()}`);
  } finally {
    await world.end();
  }
}

mkdirSync(screens, { recursive: true });
const wanted = process.argv.slice(2);
for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
  await capture(scene).catch((error: Error) => {
    process.exitCode = 1;
    console.error(`${scene.name}: ${error.message}`);
  });
}
rmSync(cwd, { recursive: true, force: true });
