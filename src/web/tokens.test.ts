import { expect, test } from "vitest";
import { limits } from "../limits.js";
import { isSameSecret, openTokens } from "./tokens.js";

test("a token is known by another name than itself, and others are not known", () => {
  const tokens = openTokens();
  const token = tokens.issue();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(tokens.bearerOf(token)).toMatch(/^[0-9a-f]{64}$/);
  expect(tokens.bearerOf(token)).not.toContain(token);
  expect(tokens.bearerOf(`${token}x`)).toBeNull();
  expect(openTokens().bearerOf(token)).toBeNull();
});

test("[WT1] a token ends after a time without use, unless a stream of it is open", () => {
  let nowMs = 0;
  let open = "";
  const tokens = openTokens({ now: () => nowMs, isInUse: (bearer) => bearer === open });
  const [used, unused, streaming] = [tokens.issue(), tokens.issue(), tokens.issue()];
  open = tokens.bearerOf(streaming)!;
  nowMs += limits.tokenIdleMs - 1;
  expect(tokens.bearerOf(used)).not.toBeNull();
  nowMs += 1;
  expect(tokens.bearerOf(unused)).toBeNull();
  expect(tokens.bearerOf(used)).not.toBeNull();
  expect(tokens.bearerOf(streaming)).toBe(open);
});

test("[WT1] of too many tokens the one unused for longest ends", () => {
  const tokens = openTokens();
  const [first, second] = [tokens.issue(), tokens.issue()];
  tokens.bearerOf(first);
  for (let count = 2; count <= limits.tokens; count++) tokens.issue();
  expect(tokens.bearerOf(second)).toBeNull();
  expect(tokens.bearerOf(first)).not.toBeNull();
});

test("[WT2] the token of a file never ends, and is compared whole", () => {
  let nowMs = 0;
  const lasting = "a".repeat(40);
  const tokens = openTokens({ lasting, now: () => nowMs });
  nowMs += 2 * limits.tokenIdleMs;
  expect(tokens.bearerOf(lasting)).not.toBeNull();
  expect(tokens.bearerOf("a".repeat(39))).toBeNull();
  expect(tokens.bearerOf(`${lasting}a`)).toBeNull();
  expect([isSameSecret("a", "a"), isSameSecret("a", "b"), isSameSecret("", "a")]).toEqual([
    true,
    false,
    false,
  ]);
});
