// The real Gemini CLI in its pinned version.

import { installFromNpm } from "../../from-npm.js";

/** The newest one; it runs on Node 20. */
export const geminiVersion = "0.61.0";

const packageName = "@google/gemini-cli";

/** The path of its script, which node runs. */
export function installGemini(): Promise<string> {
  const program = `${packageName}/bundle/gemini.js`;
  return installFromNpm({ name: "gemini", version: geminiVersion, package: packageName, program });
}
