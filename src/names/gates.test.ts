import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HiveError } from "../base/errors.js";
import {
  addressParts,
  field,
  hostName,
  isField,
  isSessionOf,
  paneAddress,
  paneName,
  projectId,
  role,
  rules,
  sessionId,
  teamName,
} from "./gates.js";

const gates = {
  team: teamName,
  role,
  pane: paneName,
  session: sessionId,
  project: projectId,
  host: hostName,
  field,
};
type Gate = keyof typeof gates;

const long = "x".repeat(10_000);
const attacks = [
  "../x",
  "a|b",
  "-rf",
  "a\nb",
  "$(x)",
  "#(touch x)",
  "=x",
  long,
  "",
  " ",
  "a b",
  "é",
  "a\0b",
  "\u001b[2J",
];

describe("[G1] a valid value comes back canonical", () => {
  const rows: [Gate, string, string][] = [
    ["team", "web4team", "web4team"],
    ["team", "_x-Y-9", "_x-Y-9"],
    ["team", "0", "0"],
    ["team", "x".repeat(64), "x".repeat(64)],
    ["role", "web4-po", "web4-po"],
    ["role", "a.b_c-d", "a.b_c-d"],
    ["pane", "web4team:0.1", "web4team:0.1"],
    ["pane", "web4team:007.01", "web4team:7.1"],
    ["pane", "%5", "%5"],
    ["session", "15533422-8BDB-5079-8420-EFCDB81DD2E5", "15533422-8bdb-5079-8420-efcdb81dd2e5"],
    ["session", "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg", "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg"],
    ["project", "my.project_1", "my.project_1"],
    ["host", "mac-studio.local", "mac-studio.local"],
    ["field", "a folder with spaces, é and #", "a folder with spaces, é and #"],
  ];
  test.each(rows)("[G1] %s accepts %j", (gate, value, expected) => {
    expect(gates[gate](value)).toBe(expected);
  });
});

describe("[G1] any other value is refused with the rule and the value", () => {
  const rows: [Gate, string[]][] = [
    ["team", [...attacks, "-x", "a.b", "a:b", "x".repeat(65)]],
    ["role", [...attacks, "1a", ".a", "_a", "Read session/x", "x".repeat(41)]],
    [
      "pane",
      [
        ...attacks,
        "team",
        "team:0",
        "team:a.b",
        "team:0.1.2",
        "%",
        "%x",
        "%-1",
        "te am:0.1",
        "team:0.1\n",
        ":0.1",
      ],
    ],
    [
      "session",
      [
        ...[...attacks, "15533422", "15533422-8bdb-5079-8420-efcdb81dd2e"],
        ...["g5533422-8bdb-5079-8420-efcdb81dd2e5", "ses_", "ses_short", "SES_7c2f0a1b3ffeQ9ZxYw0aBcDeFg"],
        ...["ses_7c2f0a1b3ffe/../../etc", "ses_7c2f0a1b3ffe|x", `ses_${"a".repeat(41)}`],
      ],
    ],
    ["project", attacks.filter((name) => name !== "-rf").concat("a:b", "x".repeat(41))],
    ["host", [...attacks, "-oProxyCommand=x", "user@host", "a/b", "x".repeat(65)]],
    ["field", ["a|b", "a\nb", "a\rb", "a\0b", "\u001b[2J", "a\u0085b", "a\u2028b", long]],
  ];
  for (const [gate, values] of rows) {
    test.each(values.map((value) => [value.slice(0, 40), value]))(
      `[G1] ${gate} refuses %j (incident 1)`,
      (_, value) => {
        expect(() => gates[gate](value)).toThrow(HiveError);
        expect(() => gates[gate](value)).toThrow(rules[gate]);
      },
    );
  }

  test("[G1] a refusal is short, and safe to print", () => {
    try {
      teamName(`\u001b[2J${long}`);
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(300);
      expect((error as Error).message).not.toContain("\u001b");
    }
  });
});

test("[G2] no valid value can break a row", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...attacks),
    fc.stringMatching(/^[\w:.|%\n-]{0,12}$/),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...(Object.keys(gates) as Gate[])), (value, gate) => {
      let passed: string;
      try {
        passed = gates[gate](value);
      } catch (error) {
        expect(error).toBeInstanceOf(HiveError);
        return;
      }
      expect(isField(passed)).toBe(true);
      expect(gates[gate](passed)).toBe(passed);
    }),
    { numRuns: 2000 },
  );
});

test("[G3] a gate checks only the form: a pane that exists nowhere passes", () => {
  expect(paneAddress("nowhere:99.99")).toBe("nowhere:99.99");
  expect(addressParts("nowhere:99.7")).toEqual({ team: "nowhere", window: 99, pane: 7 });
});

test.each([
  ["claude", "15533422-8bdb-5079-8420-efcdb81dd2e5", true],
  ["claude", "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg", false],
  ["opencode", "ses_7c2f0a1b3ffeQ9ZxYw0aBcDeFg", true],
  ["opencode", "15533422-8bdb-5079-8420-efcdb81dd2e5", false],
  ["claw", "15533422-8bdb-5079-8420-efcdb81dd2e5", false],
] as const)("a session of %s can have the id %s: %j", (kind, id, expected) => {
  expect(isSessionOf(kind, id)).toBe(expected);
});
