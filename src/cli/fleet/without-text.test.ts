import { expect, test } from "vitest";
import { hidden, withoutText } from "./without-text.js";

const answer = (value: Record<string, unknown> | null, lines: string[] = []) => ({
  ...{ exitCode: 0, value, lines, notes: [], error: null },
});

test("[WX1] an inbox goes without its commands, and with who asks", () => {
  const request = {
    id: "req-aaaaaaaa",
    tool: "Bash",
    lines: ["rm -rf /"],
    line: "rm",
    rules: ["r"],
    isPlain: true,
  };
  const item = {
    kind: "request",
    who: "tester",
    pane: "shop:0.1",
    request,
    about: "secret",
    brandNew: { a: 1 },
  };
  expect(withoutText("inbox", answer({ version: 1, items: [item] })).value).toEqual({
    version: 1,
    isTextHidden: true,
    items: [
      {
        ...{ kind: "request", who: "tester", pane: "shop:0.1", about: null, brandNew: null },
        request: { id: "req-aaaaaaaa", tool: null, lines: [], line: null, rules: [], isPlain: true },
      },
    ],
  });
});

test("[WX1] lines with words do not leave, and the answer says so", () => {
  expect(withoutText("sessions", answer(null, ["15533422  a secret title"]))).toMatchObject({
    lines: [],
    notes: [hidden],
  });
  expect(withoutText("context", answer(null, ["PANE  USED"])).lines).toEqual(["PANE  USED"]);
});
