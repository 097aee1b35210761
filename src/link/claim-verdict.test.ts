import { expect, test } from "vitest";
import { limits } from "../limits.js";
import type { Host, Role, SessionId } from "../names/gates.js";
import {
  type ClaimRow,
  claimSteps,
  type OwnClaim,
  readClaim,
  refusal,
  type Verdict,
  verdictOn,
} from "./claim-verdict.js";
import { textOf } from "./rows.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const other = "25533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const own = { host: "a" as Host, instance: "i1" };
const claim = (host: string, instance: string): ClaimRow => ({
  ...{ host: host as Host, instance, epoch: 3, role: "po" as Role, team: "web" },
});
const found = (row: ClaimRow | null) => ({ claim: row, revision: 5, writtenAtMs: 0 });

test.each<[string, ReturnType<typeof found> | null, string | null, Verdict["kind"]]>([
  ["no claim", null, null, "free"],
  ["our claim", found(claim("a", "i1")), "i1", "ours"],
  ["[CL2] our claim from before a restart, without a lease", found(claim("a", "i1")), null, "ours"],
  ["another folder under our name", found(claim("a", "i9")), "i9", "namesake"],
  ["a host with a lease", found(claim("b", "i2")), "i2", "held"],
  ["[CL2] a host without a lease", found(claim("b", "i2")), null, "unreached"],
  ["[CL2] another instance has taken its host's name", found(claim("b", "i2")), "i7", "unreached"],
  ["a claim that cannot be read is nobody's to take", found(null), null, "unreadable"],
])("%s: %s", (_, entry, lease, expected) => {
  expect(verdictOn(entry, own, lease === null ? null : { instance: lease }).kind).toBe(expected);
});

test("[CL1] a refusal names the holder, and what to type", () => {
  const held = refusal(session, { kind: "held", claim: claim("b", "i2") });
  expect(held.message).toBe(`session ${session} is open on b as po`);
  expect(held.hint).toContain("hivemind send po@b");
  const gone = refusal(session, { kind: "unreached", claim: claim("b", "i2") });
  expect(gone.message).toContain("it may still run there");
  expect(gone.hint).toContain(`hivemind sessions fork ${session}`);
  expect(refusal(session, { kind: "namesake", claim: claim("a", "i2") }).message).toContain("also called a");
});

test("a claim reads back, and a foreign one cannot speak to the terminal", () => {
  const row = claim("web.1", "i1");
  expect(readClaim(textOf({ ...row, host: "web=2E1" }))).toEqual(row);
  expect(readClaim(textOf({ ...row, host: "b", team: "x\u001b[2J" }))?.team).not.toContain("\u001b");
  expect(readClaim(Buffer.from("po"))).toBeNull();
  expect(readClaim(textOf({ ...row, host: 7 }))).toBeNull();
});

const late = limits.claimSettleMs;
const mine = (wasOpen: boolean): [SessionId, OwnClaim][] => [
  [session, { revision: 1, writtenAtMs: 0, wasOpen }],
];
test.each<[string, SessionId[], SessionId[], [SessionId, OwnClaim][], number, string[], string[]]>([
  ["what runs is claimed", [session], [], [], 0, [session], []],
  ["what is claimed already is left alone", [session], [session], mine(true), late, [], []],
  ["what ended a moment ago may be starting again", [], [session], mine(true), late, [], []],
  ["what ended is given back at the second look", [], [], mine(true), 1, [], [session]],
  ["what was never seen may be starting", [], [], mine(false), late - 1, [], []],
  ["a start that came to nothing is given back in the end", [], [], mine(false), late, [], [session]],
  ["another conversation changes nothing", [other], [session], mine(true), late, [other], []],
])("%s", (_, open, ran, claims, nowMs, take, release) => {
  expect(claimSteps(new Set(open), new Set(ran), new Map(claims), nowMs)).toEqual({ take, release });
});
