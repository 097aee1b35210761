// Makes test/fixtures/screens again from the real client: `npx tsx test/client/capture.ts [scene…]`.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ClientVersion, clientVersions } from "./install.js";
import { type Scene, scenes } from "./scenes.js";
import { makeWorld } from "./world.js";

// A path that stands on the screens: it must not tell where they were made.
const cwd = "/tmp/hm-client";
const screens = fileURLToPath(new URL("../fixtures/screens", import.meta.url));

async function capture(version: ClientVersion, scene: Scene): Promise<void> {
  const { name, only: _, play, prepare, fleeting = false, width = 80, height = 24, ...options } = scene;
  const world = await makeWorld();
  const { root } = world.home;
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  prepare?.(world, cwd);
  try {
    const client = await world.start(version, { cwd, width, height, ...options });
    await play(client, world.api);
    const lines = fleeting ? client.screenWithColours() : await client.settled();
    const text = `${lines.join("\n")}\n`.replaceAll(root, neutralPath(root.length));
    writeFileSync(join(screens, version, `${name}.txt`), text);
    console.log(`${version} ${name}`);
  } finally {
    await world.end();
  }
}

/** As wide as the path it stands for, so that the screen keeps its shape. */
function neutralPath(length: number): string {
  return "/home/somebody".padEnd(length, "y").slice(0, length);
}

const wanted = process.argv.slice(2);
let failed = 0;
for (const version of clientVersions) {
  mkdirSync(join(screens, version), { recursive: true });
  for (const scene of scenes) {
    if (wanted.length > 0 && !wanted.includes(scene.name)) continue;
    if (scene.only !== undefined && scene.only !== version) continue;
    await capture(version, scene).catch((error: Error) => {
      failed += 1;
      console.error(`${version} ${scene.name}: ${error.message}`);
    });
  }
}
rmSync(cwd, { recursive: true, force: true });
process.exitCode = failed > 0 ? 1 : 0;
