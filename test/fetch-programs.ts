// Fetches all real programs that suites compare with, so that they lie in the cache when their suites begin.

import { clientVersions, installClient } from "./client/install.js";
import { newestServer } from "./fleet-hosts/newest-server.js";
import { installCodex } from "./kinds/codex/install.js";
import { installGemini } from "./kinds/gemini/install.js";
import { installOpencode } from "./kinds/opencode/install.js";
import { otherNode } from "./nodes.js";
import { tmuxFolder, tmuxVersions } from "./tmux-versions.js";

await newestServer();
for (const version of tmuxVersions) await tmuxFolder(version);
for (const version of clientVersions) await installClient(version);
await installCodex();
await installOpencode();
await installGemini();
for (const major of [20, 22, 24]) await otherNode(major);
