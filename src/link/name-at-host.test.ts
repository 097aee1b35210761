import { expect, test } from "vitest";
import { hostName } from "../names/gates.js";
import { hasHost, nameAtHost } from "./name-at-host.js";

const own = hostName("laptop");

test.each([
  ["tester", "tester", null],
  ["shop:0.1", "shop:0.1", null],
  ["%5", "%5", null],
  ["@k3j5n2abcd", "@k3j5n2abcd", null],
  ["tester@server", "tester", "server"],
  ["shop:0.1@server.example.org", "shop:0.1", "server.example.org"],
  ["%5@server", "%5", "server"],
  ["@k3j5n2abcd@server", "@k3j5n2abcd", "server"],
  ["req-k3j5n2ab@build-01", "req-k3j5n2ab", "build-01"],
  ["a@b@server", "a@b", "server"],
])("[NH1] %j is %j on %j", (typed, name, host) => {
  expect(nameAtHost(typed, own)).toEqual({ name, host });
  expect(hasHost(typed)).toBe(host !== null);
});

test.each(["tester@laptop", "@k3j5n2abcd@laptop", "shop:0.1@laptop"])(
  "[NH2] %j is a name of this host",
  (typed) => expect(nameAtHost(typed, own)).toEqual({ name: typed.slice(0, -"@laptop".length), host: null }),
);

test.each([
  "tester@",
  "tester@-oProxyCommand=x",
  "tester@a b",
  "tester@*",
  "tester@>",
  "tester@a/b",
  "tester@\u001b[2J",
  `tester@${"h".repeat(300)}`,
  "te|ster@server",
  "te\u001b[2Jster@server",
  "te\nster@server",
  " tester@server",
  "@@server",
])("a hostile name is refused: %j", (typed) => expect(() => nameAtHost(typed, own)).toThrow(/^refused/));

test("without a fleet a name with a host is refused, and says what to type", () => {
  expect(nameAtHost("tester", null)).toEqual({ name: "tester", host: null });
  expect(() => nameAtHost("tester@server", null)).toThrow(/this host is in none/);
});
