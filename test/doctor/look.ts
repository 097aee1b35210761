// One check, on the world of a test's home.

import type { Finding } from "../../src/doctor/check.js";
import { checks } from "../../src/doctor/checks.js";
import { examine } from "../../src/doctor/examine.js";
import { openWorld } from "../../src/doctor/world.js";
import type { TestHome } from "../home.js";

/** Without the id of the check. */
export async function findings(home: TestHome, id: string): Promise<Omit<Finding, "check">[]> {
  const asked = checks.filter((check) => check.id === id);
  if (asked.length !== 1) throw new Error(`there is no check "${id}"`);
  const world = openWorld({ env: home.env, temporaryFolder: home.env.TMPDIR! });
  const { findings } = await examine(asked, world);
  return findings.map(({ level, message, fix }) => ({ level, message, fix }));
}
