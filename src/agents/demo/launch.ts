// Where the demo agent's program is: bundled beside this code, or in dist/ when this runs from its sources.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { HiveError } from "../../base/errors.js";

export const demoProgram = "demo-agent.js";

export function demoCommand(...args: string[]): string[] {
  const places = [`./${demoProgram}`, `../../../dist/${demoProgram}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const program = places.find((place) => existsSync(place));
  if (program === undefined) throw new HiveError("the demo agent is not built", { hint: "npm run build" });
  return [process.execPath, program, ...args];
}
