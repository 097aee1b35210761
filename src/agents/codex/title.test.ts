import { expect, test } from "vitest";
import { nameInTitle, readTitle, withoutId } from "./title.js";

const [id, cut] = ["01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c", "01a1ed6e-0553-7f82-bb3b-0e587"];
const nothing = { activity: null, name: null, idStart: null };

test.each<[string, string, object]>([
  ["the folder alone", "w", {}],
  ["a name", "my-role | w", { name: "my-role" }],
  ["busy", "⠸ my-role | w", { name: "my-role", activity: "busy" }],
  ["busy without a name", "⠴ w", { activity: "busy" }],
  ["waiting", "[ ! ] Action Required | my-role | w", { name: "my-role", activity: "waiting" }],
  ["waiting, the other frame", "[ . ] Action Required | w", { activity: "waiting" }],
  ["with an id", `my-role | ${cut}... | w`, { name: "my-role", idStart: cut }],
  ["with an id and no name", `⠸ ${cut}... | w`, { idStart: cut, activity: "busy" }],
  ["with a whole id", `${id} | w`, { idStart: id }],
  ["a name with a bar", `a | b | ${cut}... | w`, { name: "a | b", idStart: cut }],
  ["a host's own", "vm", {}],
  ["nothing", "", {}],
])("%s: %j", (_, title, expected) => {
  expect(readTitle(title)).toEqual({ ...nothing, ...expected });
  expect(nameInTitle(title)).toBe(readTitle(title).name);
});

test("people see it without the id", () => {
  expect(withoutId(`⠸ my-role | ${cut}... | w`)).toBe("⠸ my-role | w");
  expect(withoutId("my-role | w")).toBe("my-role | w");
});
