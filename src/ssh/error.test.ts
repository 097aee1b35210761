import { describe, expect, test } from "vitest";
import { exitCodes } from "../base/errors.js";
import { type SshEnd, type SshReason, sshFailure } from "./error.js";

function check(end: Partial<SshEnd>, reason: SshReason) {
  const failure = sshFailure("beta", "hivemind", { exitCode: 255, stderr: "", isTalking: false, ...end });
  expect(failure.reason).toBe(reason);
  expect(failure.hint).not.toContain("HOST");
  expect(failure.message).not.toContain("HOST");
  return failure;
}

describe("ssh's messages", () => {
  test.each<[string, SshReason]>([
    ["ssh: Could not resolve hostname beta: Name or service not known", "unknown-host"],
    ["ssh: connect to host beta port 22: Connection refused", "refused"],
    ["ssh: connect to host beta port 22: No route to host", "unreachable"],
    ["ssh: connect to host beta port 22: Network is unreachable", "unreachable"],
    ["ssh: connect to host beta port 22: Connection timed out", "timeout"],
    ["Connection timed out during banner exchange\nConnection to 10.0.0.9 port 22 timed out", "timeout"],
    ["Timeout, server 10.0.0.9 not responding.", "timeout"],
    ["me@beta: Permission denied (publickey,password).", "denied"],
    ["No ED25519 host key is known for beta\nHost key verification failed.", "unknown-key"],
    ["@  WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!  @\nHost key verification failed.", "changed-key"],
    ["kex_exchange_identification: Connection closed by remote host", "dropped"],
    ["something that nobody has seen before", "failed"],
    ["", "failed"],
  ])("%j", (stderr, reason) => {
    const failure = check({ stderr }, reason);
    expect(failure.exitCode).toBe(reason === "dropped" ? exitCodes.refused : exitCodes.couldNotLook);
  });

  test("words of the far side are escaped", () =>
    expect(check({ stderr: "bad \u001b[2J" }, "failed").message).not.toContain("\u001b"));

  test.each([
    "client_loop: send disconnect: Broken pipe",
    "Connection to beta closed by remote host.",
    "Timeout, server beta not responding.",
    "",
  ])("if the far side had begun to answer, the connection was dropped: %j", (stderr) => {
    check({ stderr, isTalking: true }, "dropped");
    check({ stderr, isTalking: true, exitCode: null }, "dropped");
  });

  test.each(["bash: line 1: hivemind: command not found", "sh: 1: hivemind: not found", ""])(
    "a far shell that does not find the program: %j",
    (stderr) => expect(check({ stderr, exitCode: 127 }, "no-program").message).toContain("hivemind"),
  );
});
