import { expect, test } from "vitest";
import type { Host } from "../names/gates.js";
import { sshArguments } from "./ssh.js";

const beta = "beta" as Host;

test("[SSO1] the far words are one quoted line, behind the host", () => {
  const args = sshArguments(beta, ["hivemind", "a b", "$(touch x)", "it's"], {});
  expect(args.slice(-3)).toEqual(["--", "beta", "hivemind 'a b' '$(touch x)' 'it'\\''s'"]);
});

test("[SSO2] it asks nobody, forwards nothing and is bounded", () => {
  const args = sshArguments(beta, ["hivemind"], {}).join(" ");
  for (const option of ["BatchMode=yes", "ConnectTimeout=", "ServerAliveInterval=", "ForwardAgent=no"]) {
    expect(args).toContain(`-o ${option}`);
  }
  expect(args).not.toContain("-F");
});

test("[SSO2] another configuration of ssh is named by HIVEMIND_SSH_CONFIG", () =>
  expect(sshArguments(beta, ["hivemind"], { HIVEMIND_SSH_CONFIG: "/x/config" }).slice(0, 2)).toEqual([
    "-F",
    "/x/config",
  ]));
