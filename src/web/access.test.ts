import { expect, test } from "vitest";
import { type Asked, bearerOf, isLoopback, needRefusal, ownNames, refusal } from "./access.js";

const own = ownNames({ host: "127.0.0.1", port: 7433, isTls: false, isBehindProxy: false }, []);

const asked = (facts: Partial<Asked>): Asked => ({
  method: "GET",
  path: "/api/v1/status",
  host: "127.0.0.1:7433",
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
  fetchDest: undefined,
  contentType: undefined,
  ...facts,
});

const status = (facts: Partial<Asked>, names = own) => refusal(asked(facts), names)?.status ?? null;

test.each<[string | undefined, number | null]>([
  ["127.0.0.1:7433", null],
  ["localhost:7433", null],
  ["LOCALHOST:7433", null],
  ["[::1]:7433", null],
  ["127.0.0.1", 421],
  ["127.0.0.1:80", 421],
  ["localhost", 421],
  ["localhost.:7433", 421],
  ["evil.example:7433", 421],
  ["evil.example", 421],
  ["127.0.0.1:7433.evil.example", 421],
  ["127.0.0.1:7433@evil.example", 421],
  ["", 421],
  [undefined, 421],
])("[WA1] a request to the host %j gets %s", (host, expected) => {
  expect(status({ host })).toBe(expected);
  expect(status({ host, path: "/" })).toBe(expected);
});

test.each<[string, number | null]>([
  ["http://127.0.0.1:7433", null],
  ["http://localhost:7433", null],
  ["http://127.0.0.1:8080", 403],
  ["https://127.0.0.1:7433", 403],
  ["http://evil.example", 403],
  ["null", 403],
  ["", 403],
])("[WA2] a page of the origin %j gets %s", (origin, expected) => {
  expect(status({ origin })).toBe(expected);
  expect(status({ origin, method: "POST", contentType: "application/json" })).toBe(expected);
});

test.each<[string, Partial<Asked>, number | null]>([
  ["from the page itself", { fetchSite: "same-origin" }, null],
  ["typed into the address bar", { fetchSite: "none", path: "/", fetchMode: "navigate" }, null],
  ["from another site", { fetchSite: "cross-site" }, 403],
  ["from another port of this host", { fetchSite: "same-site" }, 403],
  [
    "by a link on another site to the page",
    { fetchSite: "cross-site", path: "/", fetchMode: "navigate", fetchDest: "document" },
    null,
  ],
  [
    "by a frame on another site",
    { fetchSite: "cross-site", path: "/", fetchMode: "navigate", fetchDest: "iframe" },
    403,
  ],
  [
    "by a link on another site to the API",
    { fetchSite: "cross-site", fetchMode: "navigate", fetchDest: "document" },
    403,
  ],
  [
    "by a form on another site",
    { fetchSite: "cross-site", method: "POST", path: "/", fetchMode: "navigate", fetchDest: "document" },
    403,
  ],
])("[WA2] a request %s gets the right answer", (_, facts, expected) => expect(status(facts)).toBe(expected));

test.each<[string | undefined, number | null]>([
  ["application/json", null],
  ["application/json; charset=utf-8", null],
  ["Application/JSON", null],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["multipart/form-data; boundary=application/json", 415],
  ["application/jsonx", 415],
  [undefined, 415],
])("[WA3] a POST of the type %j gets %s", (contentType, expected) =>
  expect(status({ method: "POST", contentType })).toBe(expected),
);

test("[WA4] a server allows only what it was started with", () => {
  const refused = (actions: boolean, typing: boolean) =>
    (["look", "act", "type"] as const).filter((need) => needRefusal(need, { actions, typing }) !== null);
  expect(refused(false, false)).toEqual(["act", "type"]);
  expect(refused(false, true)).toEqual(["act", "type"]);
  expect(refused(true, false)).toEqual(["type"]);
  expect(refused(true, true)).toEqual([]);
});

test("a server has the names that it was given, and behind a proxy both schemes", () => {
  const { hosts, origins } = ownNames({ host: "10.0.0.1", port: 443, isTls: true, isBehindProxy: false }, [
    "Hive.example",
    "other.example:8443",
  ]);
  for (const host of ["10.0.0.1", "10.0.0.1:443", "hive.example", "hive.example:443", "other.example:8443"])
    expect(hosts).toContain(host);
  expect(hosts).not.toContain("other.example");
  expect(origins).toContain("https://hive.example");
  expect(origins).not.toContain("http://hive.example");
  const proxied = ownNames({ host: "::1", port: 7433, isTls: false, isBehindProxy: true }, ["hive.example"]);
  expect(proxied.hosts).toContain("[::1]:7433");
  expect(proxied.origins).toContain("https://hive.example");
});

test.each<[string | undefined, string | null]>([
  ["Bearer abc", "abc"],
  ["bearer abc_-.~+/=", "abc_-.~+/="],
  ["Bearer  abc", null],
  ["Bearer a b", null],
  ["Basic abc", null],
  [`Bearer ${"a".repeat(513)}`, null],
  [undefined, null],
])("the token of %j is %j", (header, token) => expect(bearerOf(header)).toBe(token));

test.each([
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["::1", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.0.0.1.evil.example", false],
  ["192.168.1.1", false],
])("%s is this host only: %s", (host, expected) => expect(isLoopback(host)).toBe(expected));
