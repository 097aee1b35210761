import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

export default defineConfig({
  define: { HIVEMIND_VERSION: JSON.stringify(version) },
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    // Real tmux servers and real processes start slowly on a loaded machine; a hang is still a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
  },
});
