import { expect, test } from "vitest";
import type { Host, SessionId } from "../../names/gates.js";
import type { ClaimRow, Verdict } from "../claim-verdict.js";
import type { FarAgent } from "../rows.js";
import { whyForks } from "./takeover.js";

const [alpha, beta] = ["alpha", "beta"] as Host[];
const session = "00000000-0000-4000-8000-000000000001" as SessionId;
const claim = { host: alpha, instance: "x", epoch: 1, role: null, team: null } as ClaimRow;
const agent = (facts: Partial<FarAgent>) =>
  ({ host: alpha, session, standing: "present", activity: "idle", ...facts }) as FarAgent;

test.each<[string, Verdict, FarAgent[], RegExp | null]>([
  ["its host said nothing of it", { kind: "free" }, [], null],
  ["it is away there", { kind: "free" }, [agent({ standing: "away" })], null],
  ["it crashed there", { kind: "free" }, [agent({ activity: "crashed" })], null],
  ["it was seen running there", { kind: "free" }, [agent({})], /last seen running on alpha/],
  ["it was seen running elsewhere", { kind: "free" }, [agent({ host: beta! })], null],
  [
    "it is in the background there",
    { kind: "free" },
    [agent({ standing: "background" })],
    /last seen running/,
  ],
  ["an unknown standing", { kind: "free" }, [agent({ standing: null, activity: null })], /last seen running/],
  ["its claim is there", { kind: "unreached", claim }, [], /alpha did not say that \S+ has ended there/],
  ["another host has it", { kind: "held", claim: { ...claim, host: beta! } }, [], /is open on beta/],
  ["a claim in a foreign form", { kind: "unreadable" }, [], /cannot read/],
  ["this host has it", { kind: "ours", revision: 1 }, [], null],
])("[TO1] %s", (_, verdict, agents, why) => {
  const found = whyForks(alpha!, new Map([[session, verdict]]), agents);
  if (why === null) expect(found).toBeNull();
  else expect(found).toMatch(why);
});
