import fc from "fast-check";
import { expect, test } from "vitest";
import { isRole, isTeamName, projectId } from "../names/gates.js";
import { type Form, fits, forms } from "./forms.js";

const isProject = (value: string) => {
  try {
    return projectId(value) === value;
  } catch {
    return false;
  }
};

/** Mostly names, with what makes none of them now and then. */
const nearName = fc.string({ unit: fc.constantFrom(..."abZ09._-: |/\n\u0000é"), maxLength: 66 });

test.each<[string, Form, (value: string) => boolean]>([
  ["project", forms.project, isProject],
  ["team", forms.team, isTeamName],
  ["role", forms.role, isRole],
])("the form of a %s is its gate", (_, form, gate) => {
  fc.assert(
    fc.property(fc.oneof(nearName, fc.string()), (value) => {
      expect(fits(form, value)).toBe(gate(value));
    }),
    { numRuns: 1_000 },
  );
});
