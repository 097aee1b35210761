import { expect, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import { type TrialResult, trialFindings } from "./trial-verdict.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const registry = { sessionId: uuid, status: "idle", name: "probe", tmux: "probe:@0.%0" };
const whole: TrialResult = {
  program: "/bin/claude",
  uuid,
  name: "probe",
  paneId: "%0",
  pid: 7,
  lastWords: "",
  registry,
  isBelieved: true,
  box: "empty",
  hookSession: uuid,
  doors: [
    { door: "inbox", isTaken: true, why: "" },
    { door: "keys", isTaken: true, why: "" },
  ],
  isFileRemoved: true,
};

test("a client that does everything has only good findings", () => {
  expect(new Set(trialFindings(whole).map(({ level }) => level))).toEqual(new Set(["ok"]));
});

test.each<[Partial<TrialResult>, string, RegExp]>([
  [{ pid: null, lastWords: "no such option" }, "problem", /did not start; its last output: no such option$/],
  [{ pid: null }, "problem", /did not start$/],
  [{ registry: null }, "warning", /keeps no live registry/],
  [{ registry: { ...registry, sessionId: "another" } }, "warning", /does not have the session/],
  [{ registry: { ...registry, status: "dozing" } }, "warning", /does not have the status idle/],
  [{ registry: { ...registry, name: undefined } }, "warning", /does not have the name/],
  [{ registry: { ...registry, tmux: "probe:@0.%10" } }, "info", /does not have its tmux pane/],
  [{ registry: { ...registry, tmux: undefined } }, "info", /does not have its tmux pane/],
  [{ isBelieved: false }, "warning", /does not have its process/],
  [{ box: "none" }, "warning", /read as "none"/],
  [{ hookSession: null }, "warning", /hook does not fire/],
  [{ hookSession: "another" }, "warning", /hook reports session another/],
  [{ doors: [{ door: "inbox", isTaken: null, why: "" }] }, "info", /has no inbox/],
  [{ doors: [{ door: "inbox", isTaken: false, why: "it hung" }] }, "warning", /through its inbox: it hung$/],
  [{ doors: [{ door: "keys", isTaken: false, why: "" }] }, "warning", /that is typed: nothing shows why$/],
  [{ isFileRemoved: false }, "warning", /leaves its registry file behind/],
])("%j is a %s", (differs, level, message) => {
  const odd = trialFindings({ ...whole, ...differs }).filter((found) => found.level !== "ok");
  expect(odd).toMatchObject([{ level, message: expect.stringMatching(message) }]);
});
