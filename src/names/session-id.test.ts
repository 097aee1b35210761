import { expect, test } from "vitest";
import { isSessionId } from "./gates.js";
import { deriveSessionId, sessionName, sessionNamespace } from "./session-id.js";

test.each([
  ["hello", "mgr", "15533422-8bdb-5079-8420-efcdb81dd2e5"],
  ["hello", "dev", "b63de03a-6d49-5f14-9be3-0aac60a859ed"],
  ["alpha", "mgr", "b52372e2-8460-583f-b1ec-e5a063a14f57"],
  ["beta", "mgr", "521f4885-2e98-5949-9f03-b3c5ec64944d"],
  ["Hello", "mgr", "7078d313-1f38-5398-b88f-36aba09abb71"],
  ["проект", "мгр", "4781d7b3-adbd-552c-8b9d-e2b69c15fed4"],
  ["my project", "lead dev", "afc5eb9e-23f7-5a1a-91f7-f006af486374"],
])("[D1] %s and %s give %s", (project, agent, id) => {
  expect(deriveSessionId(project, agent)).toBe(id);
  expect(isSessionId(id)).toBe(true);
});

test("[D1] two Unicode forms of one word are two names", () => {
  expect(deriveSessionId("caf\u00e9", "a")).not.toBe(deriveSessionId("cafe\u0301", "a"));
});

test("[D2] the namespace and the form of the name never change", () => {
  expect(sessionNamespace).toBe("6dd6c8a3-44b6-4a18-9b05-91c1e257fb3d");
  expect(sessionName("hello", "mgr")).toBe("teamctl:hello:mgr");
});
