// Bundles the server of commands once for a run of the suite.

import { readFileSync } from "node:fs";
import { bundled, inProject, programOf } from "../bundled.js";

const [server, hurried] = ["test/commands/server.ts", "test/commands/hurried.ts"];
export const serverProgram = programOf(server);
/** The command, with the limits that HIVEMIND_TEST_LIMITS has as JSON. */
export const hurriedProgram = programOf(hurried);

export async function setup(): Promise<void> {
  const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  await bundled([server, hurried], version);
}
