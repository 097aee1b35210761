import { expect, test } from "vitest";
import type { Host } from "../names/gates.js";
import { versionCheck } from "./check-fleet.js";
import { type Invitation, invitationText, readInvitation } from "./invitation.js";

const certificate = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n";
const invitation: Invitation = {
  host: "beta" as Host,
  servers: ["tls://10.0.0.1:4222", "tls://[::1]:4223"],
  password: "ab".repeat(32),
  standing: "reader",
  certificate,
};

test("an invitation reads back as itself", () => {
  expect(readInvitation(invitationText(invitation))).toEqual(invitation);
});

test("an invitation of an earlier version is one of a member", () => {
  const { standing: _, ...earlier } = invitation;
  const text = JSON.stringify({ hivemindFleet: 1, ...earlier });
  expect(readInvitation(text)).toEqual({ ...invitation, standing: "member" });
});

test.each([
  ["nothing", ""],
  ["other JSON", "[]"],
  ["null", "null"],
  ["another version", { hivemindFleet: 2 }],
  ["no host", { host: undefined }],
  ["a host beyond the gate", { host: "a b" }],
  ["no server", { servers: [] }],
  ["a server that is none", { servers: ["http://10.0.0.1"] }],
  ["a server with a login", { servers: ["nats://u:p@h:1"] }],
  ["no password", { password: "" }],
  ["a password with a line break", { password: "abcdefgh\nallow|approve|*" }],
  ["a standing that nobody knows", { standing: "king" }],
  ["a certificate that is none", { certificate: "x" }],
])("a file with %s is refused", (_, change) => {
  const text =
    typeof change === "string" ? change : JSON.stringify({ hivemindFleet: 1, ...invitation, ...change });
  expect(() => readInvitation(text)).toThrow(/does not open a fleet|refused/);
});

test.each([
  ["2.8.4", "bad"],
  ["2.9.10", "info"],
  ["2.10.27", "info"],
  ["2.11.0", "well"],
  ["2.15.1", "well"],
  ["3.0.0", "well"],
])("nats-server %s is %s", (version, verdict) => {
  expect(versionCheck(version).verdict).toBe(verdict);
});
