// The real client in its pinned versions.

import { installFromNpm } from "../from-npm.js";

/** The newest that npm gives to Node 20, and the newest whose screens and files were looked at. */
export const clientVersions = ["2.1.197", "2.1.325"] as const;
export type ClientVersion = (typeof clientVersions)[number];

// The program itself. The package `claude-code` around it refuses newer versions on Node 20.
const packageName = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

export function installClient(version: ClientVersion): Promise<string> {
  return installFromNpm({ name: "client", version, package: packageName, program: `${packageName}/claude` });
}
