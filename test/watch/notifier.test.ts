import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import type { PaneId, Role } from "../../src/names/gates.js";
import type { AgentFact } from "../../src/watch/fact.js";
import { openNotifier, wordsOf } from "../../src/watch/notifier.js";
import { testHome, until } from "../home.js";

function fact(facts: Partial<AgentFact> = {}): AgentFact {
  const place = { pane: "web:0.0", paneId: "%1" as PaneId, team: "web", role: "po" as Role };
  return { kind: "waiting", ...place, about: "permission prompt", untilMs: null, ...facts };
}

/** A notifier whose program is this script; `told` is the file it is meant to write. */
function notifying(script: string) {
  const home = testHome();
  const program = join(home.root, "tell");
  const told = join(home.root, "told");
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const troubles: string[] = [];
  const env = { ...home.env, TOLD: told };
  const notifier = openNotifier(program, env, (why) => troubles.push(why.replace(program, "tell")));
  const lines = () => (existsSync(told) ? readFileSync(told, "utf8").split("\n").slice(0, -1) : []);
  return { notifier, troubles, lines, home };
}

const never = new AbortController().signal;

test("nothing that an agent or a tmux session says becomes an option, a command or another argument", async () => {
  const variables = ["FACT", "PANE", "PANE_ID", "TEAM", "ROLE", "ABOUT"].map((each) => `"$HIVEMIND_${each}"`);
  const { notifier, lines, home } = notifying(
    `printf "%s|" "$#" "$1" "$2" ${variables.join(" ")} >> "$TOLD"; echo >> "$TOLD"`,
  );
  const oops = join(home.root, "oops");
  notifier.tell([
    fact({ role: null, pane: "-u critical:0.0", about: `$(touch ${oops}) ; touch ${oops}\n--help` }),
    fact({ about: null, kind: "limited" }),
  ]);
  await notifier.ended(never);
  const said = `$(touch ${oops}) ; touch ${oops}␊--help`;
  expect(lines()).toEqual([
    `2|hivemind: -u critical:0.0 waits|${said}|waiting|-u critical:0.0|%1|web||${said}|`,
    "2|hivemind: po (web:0.0) hit a limit||limited|web:0.0|%1|web|po||",
  ]);
  expect(existsSync(oops)).toBe(false);
});

test("words are harmless and short", () => {
  const [who, what] = wordsOf(fact({ about: `\u001b]0;x\u0007${"y".repeat(5_000)}` }));
  expect(who).toBe("hivemind: po (web:0.0) waits");
  expect(what).toHaveLength(limits.notifyTextLength);
  expect(what).toMatch(/^␛\]0;x␇y+$/);
});

test("one runs at a time, in order; too many are counted", async () => {
  // Busy for long enough that another one would begin in between.
  const counting = "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done";
  const { notifier, lines, troubles } = notifying(
    `echo "begin $HIVEMIND_ABOUT" >> "$TOLD"; ${counting}; echo end >> "$TOLD"`,
  );
  notifier.tell([1, 2, 3].map((about) => fact({ about: String(about) })));
  notifier.tell([fact({ about: "4" })]);
  await notifier.ended(never);
  expect(lines()).toEqual(["1", "2", "3", "4"].flatMap((each) => [`begin ${each}`, "end"]));
  const flood = Array.from({ length: limits.notifyWaiting + 5 }, () => fact());
  notifier.tell(flood);
  const stop = new AbortController();
  stop.abort();
  await notifier.ended(stop.signal);
  expect(troubles[0]).toBe("dropped 5 older facts: too many at once");
});

test("at the end a program that hangs is ended, and the rest left out", async () => {
  const { notifier, lines } = notifying('echo "$HIVEMIND_ABOUT" >> "$TOLD"; exec sleep 100');
  notifier.tell([fact({ about: "1" }), fact({ about: "2" })]);
  await until("the first", () => lines().length === 1);
  const stop = new AbortController();
  const ended = notifier.ended(stop.signal);
  stop.abort();
  await ended;
  expect(lines()).toEqual(["1"]);
});

test("a failing program is reported once, until a run succeeds", async () => {
  const { notifier, troubles } = notifying('exit "$HIVEMIND_ABOUT"');
  notifier.tell(["3", "3", "0", "3"].map((about) => fact({ about })));
  await notifier.ended(never);
  expect(troubles).toEqual(["tell: exit code 3", "tell: exit code 3"]);
});

test("so is one that is not there any more", async () => {
  const troubles: string[] = [];
  const notifier = openNotifier("/no/such/program", {}, (why) => troubles.push(why));
  notifier.tell([fact(), fact()]);
  await notifier.ended(never);
  expect(troubles).toEqual(["/no/such/program: spawn /no/such/program ENOENT"]);
});
