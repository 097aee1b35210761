// The kinds of a mixed team, one row each: how the real program gets into a home, and the stand-in that answers it.

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startApi as startClaudeApi } from "../../client/api.js";
import { clientEnv, skipFirstRun } from "../../client/client.js";
import { clientVersions, installClient } from "../../client/install.js";
import type { TestHome } from "../../home.js";
import { prepareCodex } from "../codex/driver.js";
import { startApi as startGeminiApi } from "../gemini/stand-in.js";
import { endGeminis, prepareGemini } from "../gemini/team.js";
import { endOpencodes, prepareOpencode } from "../opencode/driver.js";

/** What every stand-in has in common. */
interface Answering {
  requests: { lastText: string; body: unknown }[];
  when(pattern: RegExp, reply: { text: string }): void;
  close(): Promise<void>;
}

export interface Program {
  env: Record<string, string>;
  /** Null: the program answers by itself. */
  api: Answering | null;
  /** Ends what a killed tmux server leaves running. */
  end?: () => Promise<void>;
}

export interface Row {
  kind: string;
  /** Its programs go to the folder `bin` of the root of the home. */
  prepare(home: TestHome): Promise<Program>;
}

/** A new kind is one row here. */
export const rows: readonly Row[] = [
  {
    kind: "claude",
    prepare: async (home) => {
      const api = await startClaudeApi();
      skipFirstRun(home.claude, home.work, true);
      const bin = join(home.root, "bin");
      mkdirSync(bin, { recursive: true });
      symlinkSync(await installClient(clientVersions.at(-1)!), join(bin, "claude"));
      return { env: clientEnv(home, api), api };
    },
  },
  { kind: "codex", prepare: (home) => prepareCodex(home) },
  {
    kind: "gemini",
    prepare: async (home) => {
      const api = await startGeminiApi();
      const { env } = await prepareGemini(home, api);
      return { env, api, end: () => endGeminis(home) };
    },
  },
  {
    kind: "opencode",
    prepare: async (home) => {
      const { env, api } = await prepareOpencode(home);
      return { env, api, end: async () => endOpencodes(home) };
    },
  },
  { kind: "demo", prepare: async () => ({ env: {}, api: null }) },
];
