import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { contentOf } from "./inbox.js";

const letter = { id: "1@a", session: "s" as SessionId, from: "po", text: "[@po web:0.1] hello" };

test("a person's words are unchanged; an agent's say that they are not the user's", () => {
  expect(contentOf({ ...letter, isUsers: true })).toBe(letter.text);
  expect(contentOf(letter)).toMatch(/not from your user\.\n\n\[@po web:0\.1\] hello$/);
});
