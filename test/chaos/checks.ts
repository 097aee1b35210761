// What is looked at after every batch of actions.

import { contentsOf } from "../contents.js";
import { done, Finding, type Scene } from "./action.js";
import { expectedViolations, undecided } from "./expected.js";
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

  // A refresh puts right what an audit calls repairable, but for what only `fix` may take away.
  if (random.chance(0.3)) {
    await done(stage.hivemind("registry", "refresh"));
    fail("after a refresh", unsettled(stage, memory));
    const isRefreshs = (each: string) => /^I(?:1|2|8|10) (?!report)/.test(each);
    const left = (await audited(scene)).filter(isRefreshs);
    fail("a refresh left", left);
  }

  const fixed = await stage.hivemind("consistency", "fix", "--yes");
  const left = await audited(scene);
  fail(
    `fix, ${fixed.stdout}${fixed.stderr}, left`,
    left.filter((each) => !each.includes(" report ")),
  );
  const mayBeClean = left.length === 0;
  if (fixed.code !== 1 && !(mayBeClean && fixed.code === 0))
    throw new Finding(`fix: exit ${fixed.code}: ${fixed.stderr}`);
  fail("after a fix", unsettled(stage, memory));
  tally.repaired += found.length - left.length;

  const before = contentsOf(stage.home.config);
  await stage.hivemind("consistency", "fix", "--yes");
  const after = contentsOf(stage.home.config);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  fail(
    "a second fix changed",
    [...names].filter((name) => before[name] !== after[name]),
  );
  memory.repaired();
}

/** The audit's violations, which must be those that are expected. */
async function audited({ stage, memory }: Scene): Promise<string[]> {
  const before = expectedViolations(stage, memory);
  const ran = await stage.hivemind("consistency", "audit", "--json");
  const either = undecided(stage, memory);
  const found = violationsIn(ran).filter((each) => !either.has(each));
  const expected = expectedViolations(stage, memory);
  const missing = before.filter((each) => expected.includes(each) && !found.includes(each));
  const surplus = found.filter((each) => !expected.includes(each) && !before.includes(each));
  if (missing.length + surplus.length > 0) {
    throw new Finding(
      ["the audit", ...missing.map((each) => `- ${each}`), ...surplus.map((each) => `+ ${each}`)].join("\n"),
    );
  }
  return found;
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
