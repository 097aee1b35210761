import { expect, test } from "vitest";
import type { Host } from "../names/gates.js";
import { sshArguments } from "./ssh.js";

const beta = "beta" as Host;

test("the far words are one quoted line after the host", () => {
  const args = sshArguments(beta, ["hivemind", "a b", "$(touch x)", "it's"], {});
  expect(args.slice(-3)).toEqual(["--", "beta", "hivemind 'a b' '$(touch x)' 'it'\\''s'"]);
});

test("it never prompts, forwards nothing and is bounded", () => {
  const args = sshArguments(beta, ["hivemind"], {}).join(" ");
  for (const option of ["BatchMode=yes", "ConnectTimeout=", "ServerAliveInterval=", "ForwardAgent=no"]) {
    expect(args).toContain(`-o ${option}`);
  }
  expect(args).not.toContain("-F");
});

test("HIVEMIND_SSH_CONFIG names another ssh configuration", () =>
  expect(sshArguments(beta, ["hivemind"], { HIVEMIND_SSH_CONFIG: "/x/config" }).slice(0, 2)).toEqual([
    "-F",
    "/x/config",
  ]));
