import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

const common = {
  pool: "forks",
  // One module graph for all files of a worker: no test changes what another one imports.
  isolate: false,
  // Real tmux servers and real processes start slowly on a loaded machine; a hang is still a failure.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  unstubEnvs: true,
  // All suites read the same sources.
  experimental: { fsModuleCache: true },
} as const;

/**
 * What takes long: large sizes, many messages, the installed package, every moment of a kill, other hosts, containers.
 * `npm run stress` runs them, `npm run soak` some of them at their full size.
 */
const long = [
  "test/stress/**/*.test.ts",
  "test/messages/storm.test.ts",
  "test/package/public.test.ts",
  "test/**/{killed,contention,containers}.test.ts",
  "test/fleet/change-roster.test.ts",
  "test/hosts/**/*.test.ts",
  "test/seeds.test.ts",
  "test/watch/unit.test.ts",
];

/** A file that somebody names runs, however long it takes. */
const isNamed = process.argv.some((word) => /^test\/.+\.test\.ts$/.test(word));

/** Suites with a mode of their own. */
const alone = ["test/client/**", "test/kinds/**", "test/web/**", "test/fleet-hosts/**", "test/smoke/**"];

/** Without the times of a run before, vitest begins with the largest files, and these long ones would be left for the end. */
const longest =
  /\/(parity|ended|activity-\w+|context-window|mixed\/restore|chaos\/\w+|partition|mail)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * `vitest run` is the project's own suite; `vitest run --mode client` the one on the real client, `vitest run --mode agents`
 * the one on the other real programs, `vitest run --mode web` the one in a browser, `vitest run --mode fleet` the one on
 * real NATS servers, `vitest run --mode smoke` the short one on other versions of tmux and node,
 * `vitest run --mode stress` what takes long.
 */
export default defineConfig(({ mode }) => {
  const define = { HIVEMIND_VERSION: JSON.stringify(version) };
  const longestFirst = { sequence: { sequencer: LongestFirst } };
  // CI runs two suites beside each other on two cores: a start of a real program takes a second of processor time, or
  // five. With more workers each test only takes longer.
  const client = { ...common, ...longestFirst, maxWorkers: 4, testTimeout: 180_000 };
  const agents = { ...client, maxWorkers: 2, setupFiles: ["test/kinds/patience.ts"] };
  // A browser, its server and a fleet per worker.
  const web = { ...common, maxWorkers: 2 };
  // A server of three nodes and two hosts per worker; most of their time they wait for each other.
  const fleet = { ...common, ...longestFirst, maxWorkers: 3, testTimeout: 120_000 };
  const projects = [
    {
      extends: true as const,
      test: {
        ...common,
        name: "unit",
        include: ["{src,demo-agent,web}/**/*.test.ts"],
        maxWorkers: 3,
        sequence: { groupOrder: 0 },
      },
    },
    {
      extends: true as const,
      test: {
        ...common,
        name: "live",
        include: mode === "stress" ? long : ["test/**/*.test.ts"],
        exclude: [...alone, ...(isNamed || mode === "stress" || mode === "soak" ? [] : long)],
        // They wait for much of their time.
        maxWorkers: 6,
        sequence: { groupOrder: 1 },
      },
    },
  ];
  const globalSetup = "test/commands/build.ts";
  const only = (suite: object, include: string) => ({
    define,
    test: { ...suite, include: [include], globalSetup },
  });
  if (mode === "client") return only(client, "test/client/**/*.test.ts");
  if (mode === "agents") return only(agents, "test/kinds/**/*.test.ts");
  if (mode === "web") return only(web, "test/web/**/*.test.ts");
  if (mode === "smoke") return only({ ...common, maxConcurrency: 4 }, "test/smoke/**/*.test.ts");
  if (mode === "fleet") return only(fleet, "test/fleet-hosts/**/*.test.ts");
  return { define, test: { projects, globalSetup } };
});
