// Which conversation came from which after /clear, /resume and /branch, while too little was said: what only the process tells.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { handlers, launchSettings } from "../../src/agents/claude/hooks/handler.js";
import type { SessionId, TeamName } from "../../src/names/gates.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { familyOf, hiveOf, moveOn, newId, sessionOf, told } from "./family.js";
import { clientVersions } from "./install.js";

const has = (client: RealClient, id: SessionId) =>
  until(`the transcript of ${id}`, () => client.transcript(id).length > 0);

describe.each(clientVersions)("the real client %s", (version) => {
  /** 2.1.325 writes down which session a process began with; of 2.1.197 nothing tells of a `/clear`. */
  const ifWritten = (guess: string) => (version === "2.1.197" ? "unknown" : guess);

  it("clears a fork twice, and the second follows the first", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const [P, C] = [newId(), newId()];
    await say(await begin("--session-id", P, "-n", "lead"), "alpha");
    const client = await fork(P, "--session-id", C);
    await say(client, "beta");
    const D = await moveOn(client, "/clear");
    await has(client, D);
    const E = await moveOn(client, "/clear");
    await say(client, "gamma");
    const F = await moveOn(client, "/clear");
    await say(client, "delta");
    const expected = {
      C: "fork of P",
      D: ifWritten("clear of C?"),
      E: ifWritten("clear of D?"),
      F: ifWritten("clear of E?"),
    };
    expect(await told(home, { P, C, D, E, F })).toMatchObject(expected);
    await client.end();
    expect(await told(home, { P, C, D, E, F })).toMatchObject(expected);
  });

  it("clears twice between two looks, and what was seen before is not taken for the parent", async () => {
    const { world, home, say } = await familyOf(version);
    const hive = hiveOf(home);
    const P = newId();
    const client = await world.start(version, { args: ["--session-id", P, "-n", "lead"], team: "web" });
    await hive.emit({ name: "team.created", team: "web" as TeamName, description: "" });
    const refreshed = async () =>
      (await hive.refreshAll()).forkRows.map(({ uuid, parent }) => [uuid, parent]);
    await say(client, "alpha");
    expect(await refreshed()).toEqual([[P, null]]);
    const D = await moveOn(client, "/clear");
    await has(client, D);
    expect(await refreshed()).toEqual([[D, P]]);
    const E = await moveOn(client, "/clear");
    await has(client, E);
    const F = await moveOn(client, "/clear");
    await say(client, "beta");
    expect(await refreshed()).toEqual([[F, null]]);
    expect(await told(home, { P, D, E, F })).toMatchObject({ D: "clear of P", F: ifWritten("clear of E?") });
  });

  it("clears a fork twice under hooks, which tell of both for certain", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const { hookReports } = hiveOf(home).stores;
    hookReports.placeHandlers(handlers);
    const settings = ["--settings", JSON.stringify(launchSettings(hookReports.folder))];
    const [P, C] = [newId(), newId()];
    await say(await begin("--session-id", P, "-n", "lead"), "alpha");
    const client = await fork(P, "--session-id", C, ...settings);
    const D = await moveOn(client, "/clear");
    const E = await moveOn(client, "/clear");
    await say(client, "beta");
    const expected = { P: "unknown", C: "fork of P", D: "clear of C", E: "clear of D" };
    // Hooks arrive some moments after the registry: the answer is waited for, then held.
    const isTold = async () => isDeepStrictEqual(await told(home, { P, C, D, E }), expected);
    await until("both reports", isTold).catch(() => {});
    expect(await told(home, { P, C, D, E })).toEqual(expected);
  });

  it("clears a fork before its first word, which is no child of the parent", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const P = newId();
    await say(await begin("--session-id", P, "-n", "lead"), "alpha");
    const client = await fork(P);
    const C = sessionOf(client);
    const D = await moveOn(client, "/clear");
    await has(client, D);
    expect(await told(home, { P, C, D })).toMatchObject({ D: "unknown" });
    await say(client, "beta");
    expect(await told(home, { P, C, D })).toMatchObject({
      C: ifWritten("fork of P"),
      D: ifWritten("clear of C?"),
    });
  });

  it("resumes another conversation and its own parent inside a fork, and neither becomes its child", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const [P, X] = [newId(), newId()];
    await say(await begin("--session-id", P, "-n", "lead"), "alpha");
    const other = await begin("--session-id", X, "-n", "other");
    await say(other, "beta");
    await other.end();
    const client = await fork(P);
    const C = sessionOf(client);
    expect(await moveOn(client, `/resume ${X}`)).toBe(X);
    expect(await told(home, { P, X })).toEqual({ P: "unknown", X: "unknown" });
    await say(client, "gamma");
    const fromThere = await fork(X);
    const Y = sessionOf(fromThere);
    expect(await told(home, { P, X, Y })).toEqual({ P: "unknown", X: "unknown", Y: "fork of X" });
    await say(fromThere, "delta");
    expect(await moveOn(client, `/resume ${P}`)).toBe(P);
    await say(client, "epsilon");
    const D = await moveOn(client, "/clear");
    await say(client, "zeta");
    expect(await told(home, { P, C, X, Y, D })).toEqual({
      P: "unknown",
      C: ifWritten("fork of P"),
      X: "unknown",
      Y: "fork of X",
      D: ifWritten("clear of P?"),
    });
  });

  it("branches twice and clears, and each follows the one before", async () => {
    const { home, begin, say } = await familyOf(version);
    const P = newId();
    const client = await begin("--session-id", P, "-n", "lead");
    await say(client, "alpha");
    const B = await moveOn(client, "/branch one");
    const B2 = await moveOn(client, "/branch two");
    const D = await moveOn(client, "/clear");
    await say(client, "beta");
    expect(await told(home, { P, B, B2, D })).toEqual({
      P: "unknown",
      B: "branch of P",
      B2: "branch of B",
      D: ifWritten("clear of B2?"),
    });
  });
});
