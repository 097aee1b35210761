import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** `vitest run` is the project's own suite; `vitest run --mode client` the one on the real client. */
export default defineConfig(({ mode }) => ({
  define: { HIVEMIND_VERSION: JSON.stringify(version) },
  test: {
    ...(mode === "client"
      ? { include: ["test/client/**/*.test.ts"] }
      : { include: ["src/**/*.test.ts", "test/**/*.test.ts"], exclude: ["test/client/**"] }),
    pool: "forks",
    // The suite on the real client waits for most of its time.
    ...(mode === "client" ? { maxWorkers: 3 } : {}),
    // Real tmux servers and real processes start slowly on a loaded machine; a hang is still a failure.
    testTimeout: mode === "client" ? 180_000 : 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
}));
