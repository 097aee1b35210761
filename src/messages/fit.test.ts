import { expect, test } from "vitest";
import { shellBars, whyUnfit } from "./fit.js";

test.each([
  ["one line behind a shell", true, "run it", false],
  ["several lines behind a shell", true, "cd x\nrm y", true],
  ["a line with an end behind a shell", true, "run it\n", true],
  ["several lines without a shell", false, "cd x\nrm y", false],
])("%s, pasted %s", (_, isBehindShell, pasted, waits) => {
  const stance = shellBars({ isBehindShell }, pasted);
  expect(stance?.kind ?? null).toBe(waits ? "working" : null);
  if (waits) expect(stance!.why).toMatch(/started from a shell/);
});

test.each([
  ["claude", "exit", null],
  ["claude", "\u200b", /no visible character/],
  ["demo", "\u200b", /no visible character/],
  ["claude", "a\u001bb", /control/],
  ["claw", "exit", null],
  ["shell", "exit", null],
] as const)("a pane of kind %s and %j", (kind, text, why) => {
  const unfit = whyUnfit({ kind, width: 80, height: 24 }, text);
  if (why === null) expect(unfit).toBeNull();
  else expect(unfit).toMatch(why);
});
