import { expect, test } from "vitest";
import type { Route } from "../routes.js";
import { findRoute, pathIn, queryIn, to } from "./router.js";

const routes = ["/", "/inbox", "/agent/:key", "/sessions", "/sessions/:ref"].map(
  (pattern): Route => ({ pattern, title: pattern, icon: "board", load: async () => () => null }),
);
const find = (fragment: string) => {
  const found = findRoute(routes, pathIn(fragment));
  return found && [found.route.pattern, found.place];
};

test.each([
  ["", ["/", {}]],
  ["#", ["/", {}]],
  ["#/", ["/", {}]],
  ["#/inbox", ["/inbox", {}]],
  ["#/inbox/", ["/inbox", {}]],
  ["#/inbox?item=req-a", ["/inbox", {}]],
  ["#/agent/%40k3j5n2ab", ["/agent/:key", { key: "@k3j5n2ab" }]],
  ["#/agent/%253?tab=messages", ["/agent/:key", { key: "%3" }]],
  ["#/sessions", ["/sessions", {}]],
  ["#/sessions/cf4284ec", ["/sessions/:ref", { ref: "cf4284ec" }]],
  ["#/agent", null],
  ["#/agent/%zz", null],
  ["#/nothing", null],
  ["#secret=abc", ["/", {}]],
])("the address %j names %j", (fragment, expected) => expect(find(fragment)).toEqual(expected));

test.each(["%3", "@k3j5n2ab", "shop:0.1", "a/b?c#d"])("an address of %j names it again", (key) =>
  expect(find(to("/agent/:key", { key }))).toEqual(["/agent/:key", { key }]),
);

test("the query is what follows the question mark", () => {
  expect(queryIn("#/inbox?item=req-a&x=%23").get("item")).toBe("req-a");
  expect(queryIn("#/inbox?item=req-a&x=%23").get("x")).toBe("#");
  expect(queryIn("#/inbox").get("item")).toBe(null);
});
