// The checks after every batch of actions.

import { contentsOf } from "../contents.js";
import { done, Finding, type Scene } from "./action.js";
import { auditedTeams, expectedBesides, expectedOfRows, hasMoved, rowsNow } from "./expected.js";
import { unsettled, wrongStatus } from "./settled.js";
import type { Ran } from "./stage.js";

export interface Tally {
  checks: number;
  /** What audits found, and what of it was repaired. */
  violations: number;
  repaired: number;
}

export async function checkAll(scene: Scene, tally: Tally, note: (line: string) => void): Promise<void> {
  const { stage, memory, random } = scene;
  tally.checks += 1;
  const { stdout } = await done(stage.hivemind("status", "--json"));
  fail("status", wrongStatus(stage, memory, stdout));

  const found = await audited(scene);
  tally.violations += found.length;
  note(`check: ${found.join(", ") || "clean"}`);

  // A refresh repairs everything that an audit calls repairable, except what only `fix` may remove.
  if (random.chance(0.3)) {
    await done(stage.hivemind("registry", "refresh"));
    fail("after a refresh", unsettled(stage, memory));
    fail("a refresh left", (await audited(scene)).filter(isOfRows));
  }

  const [before, isMoved, teams] = [rowsNow(stage), hasMoved(memory), auditedTeams(stage, memory)];
  const said = (await audited(scene)).filter(isOfRows);
  const fixed = await stage.hivemind("consistency", "fix", "--yes");
  if (!isMoved) compare("what a fix does to the rows", said, expectedOfRows(before, rowsNow(stage), teams));
  const left = await audited(scene);
  fail(
    `fix, ${fixed.stdout}${fixed.stderr}, left`,
    left.filter((each) => !each.includes(" report ")),
  );
  const mayBeClean = left.length === 0;
  if (fixed.code !== 1 && !(mayBeClean && fixed.code === 0))
    throw new Finding(`fix: exit ${fixed.code}: ${fixed.stderr}`);
  // Other programs' rows without a violation are in the roster after any change.
  await done(stage.hivemind("registry", "refresh"));
  fail("after a fix", unsettled(stage, memory));
  tally.repaired += found.length - left.length;

  const settled = contentsOf(stage.home.config);
  await stage.hivemind("consistency", "fix", "--yes");
  const after = contentsOf(stage.home.config);
  const names = new Set([...Object.keys(settled), ...Object.keys(after)]);
  fail(
    "a second fix changed",
    [...names].filter((name) => settled[name] !== after[name]),
  );
}

/** The rows of S1 and S2. */
function isOfRows(each: string): boolean {
  return /^I(?:1|2|8|10) (?!report)/.test(each);
}

/** The audit's violations; those that are not about the rows of agents must be the expected ones. */
async function audited({ stage, memory }: Scene): Promise<string[]> {
  const before = expectedBesides(stage, memory);
  const found = violationsIn(await stage.hivemind("consistency", "audit", "--json"));
  const expected = expectedBesides(stage, memory);
  const besides = found.filter((each) => /^I(?:3|4|5|6) /.test(each));
  compare(
    "the audit",
    besides.filter((each) => !before.includes(each) || expected.includes(each)),
    expected.filter((each) => before.includes(each)),
  );
  return found;
}

function compare(what: string, found: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((each) => !found.includes(each));
  const surplus = found.filter((each) => !expected.includes(each));
  if (missing.length + surplus.length > 0)
    throw new Finding(
      [what, ...missing.map((each) => `- ${each}`), ...surplus.map((each) => `+ ${each}`)].join("\n"),
    );
}

function violationsIn({ code, stdout, stderr }: Ran): string[] {
  if (code !== 0 && code !== 1) throw new Finding(`audit: exit ${code}: ${stderr}`);
  const { violations } = JSON.parse(stdout) as { violations: Record<string, string>[] };
  if (code !== (violations.length === 0 ? 0 : 1)) throw new Finding(`audit: exit ${code}: ${stdout}`);
  return violations.map(({ invariant, op, store, key }) => `${invariant} ${op} ${store} ${key}`).sort();
}

function fail(when: string, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Finding([`${when}:`, ...wrong].join("\n"));
}
