import { expect, test } from "vitest";
import type { ExitCode } from "../base/errors.js";
import { troubleCode } from "./problems.js";

test.each<[string, { exitCode?: ExitCode }[], ExitCode | undefined]>([
  ["nothing", [], undefined],
  ["a refusal", [{}, { exitCode: 1 }], 1],
  ["a refusal and something unreadable", [{ exitCode: 3 }, { exitCode: 1 }], 3],
])("the exit code of a run with %s", (_, troubles, code) => expect(troubleCode(troubles)).toBe(code));
