import { spawn } from "node:child_process";
import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProcStat } from "./proc-stat.js";
import {
  fateOf,
  identityText,
  ownIdentity,
  type ProcessIdentity,
  parseIdentity,
} from "./process-identity.js";

const self = ownIdentity();

describe("the fate of a process", () => {
  test.each<[string, Partial<ProcessIdentity>, string]>([
    ["this process", {}, "alive"],
    ["one whose host was renamed", { host: "other" }, "alive"],
    ["one whose pid was reused", { start: "1" }, "dead"],
    ["one whose pid is free", { pid: 2 ** 22 + 1 }, "dead"],
  ])("[ID1] of %s is known", (_, change, fate) => expect(fateOf({ ...self, ...change })).toBe(fate));

  test("[ID1] of one that has just ended is dead, reaped by its parent or not", async () => {
    // sh becomes a program that never reaps its child, which so stays a zombie.
    const parent = spawn("sh", ["-c", "true & echo $!; exec sleep 30"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    const stateOf = () => readProcStat(pid)?.state ?? "gone";
    while (!["Z", "gone"].includes(stateOf())) await new Promise((resolve) => setImmediate(resolve));
    const start = readProcStat(pid)?.startTicks ?? "0";
    expect(fateOf({ ...self, pid, start })).toBe("dead");
    parent.kill("SIGKILL");
    await once(parent, "exit");
    expect(fateOf({ ...self, pid: parent.pid!, start: "0" })).toBe("dead");
  });

  test("[ID2] of one of an earlier boot is dead", () =>
    expect(fateOf({ ...self, boot: "earlier" })).toBe("dead"));

  test.each<[string, Partial<ProcessIdentity>]>([
    ["another host", { boot: "its own", host: "other" }],
    ["an unknown boot", { boot: "" }],
    ["an unknown start", { start: "" }],
    ["another pid namespace", { namespace: "pid:[1]" }],
    ["another pid namespace with a pid that is free here", { namespace: "pid:[1]", pid: 2 ** 22 + 1 }],
  ])("[ID3] of one of %s is unknown (incident 33)", (_, change) =>
    expect(fateOf({ ...self, ...change })).toBe("unknown"),
  );
});

describe("the text of an identity", () => {
  const identities = fc.record({
    pid: fc.integer({ min: 1, max: 2 ** 31 }),
    start: fc.string({ unit: "grapheme" }),
    boot: fc.string(),
    namespace: fc.constantFrom("", "pid:[4026531836]", "a/b,c"),
    host: fc.string(),
  });

  test("[ID4] reads back as the same identity", () => {
    fc.assert(
      fc.property(identities, (identity) => {
        const text = identityText(identity);
        expect(text).not.toMatch(/[/\0\n]/);
        expect(parseIdentity(text)).toEqual(identity);
      }),
    );
  });

  test.each(["", "1,2,3", "0,a,b,c,d", "x,a,b,c,d", "-1,a,b,c,d", "1,%,b,c,d", "1,a,b,c,d,e"])(
    "%j is not one",
    (text) => expect(parseIdentity(text)).toBeNull(),
  );
});
