// Which conversation came from which while nothing, or too little, was said: what only the process tells.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { type TestHome, until } from "../home.js";
import { skipFirstRun } from "./client.js";
import { envOf, familyOf, moveOn, newId, removeTranscript, sessionOf, told } from "./family.js";
import { clientVersions } from "./install.js";

/** As 2.1.197 does by itself now and then. */
function writeAnswerFirst({ claude }: TestHome, id: SessionId): void {
  const projects = join(claude, "projects");
  const path = join(projects, readdirSync(projects)[0]!, `${id}.jsonl`);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const isAnswer = (line: string) => JSON.parse(line).type === "assistant";
  const ordered = [...lines.filter(isAnswer), ...lines.filter((line) => !isAnswer(line))];
  writeFileSync(path, `${ordered.join("\n")}\n`);
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("forks a branch that said nothing, and the branch is the parent", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const [P, C] = [newId(), newId()];
    const parent = await begin("--session-id", P, "-n", "lead");
    await say(parent, "alpha");
    const B = await moveOn(parent, "/branch side");
    const first = await fork(B, "--session-id", C);
    const second = await fork(B);
    const R = sessionOf(second);
    const expected = { P: "unknown", B: "branch of P", C: "fork of B", R: "fork of B" };
    expect(await told(home, { P, B, C, R })).toEqual(expected);
    await say(first, "beta");
    await say(second, "gamma");
    expect(await told(home, { P, B, C, R })).toEqual(expected);
    const G = sessionOf(await fork(R));
    const B2 = await moveOn(parent, "/branch again");
    const third = await fork(B2);
    const H = sessionOf(third);
    const more = { ...expected, G: "fork of R", B2: "branch of B", H: "fork of B2" };
    expect(await told(home, { P, B, C, R, G, B2, H })).toEqual(more);
    await say(third, "delta");
    await Promise.all([parent, first, second, third].map((client) => client.end()));
    expect(await told(home, { P, B, C, R, B2, H })).toEqual({
      ...expected,
      B2: "branch of B",
      H: "fork of B2",
    });
    // What is left of the branch is not taken for its parent.
    removeTranscript(home, B2);
    expect(await told(home, { H })).toMatchObject({ H: expect.stringMatching(/\?$|unknown/) });
  });

  it("forks a session whose transcript is deleted, and the arguments still name it", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const [G, P, C] = [newId(), newId(), newId()];
    const elder = await begin("--session-id", G, "-n", "lead");
    await say(elder, "alpha");
    const parent = await fork(G, "--session-id", P);
    await say(parent, "beta");
    const first = await fork(P, "--session-id", C);
    const second = await fork(P);
    const R = sessionOf(second);
    await parent.end();
    removeTranscript(home, P);
    const expected = { C: "fork of P", R: "fork of P" };
    expect(await told(home, { P, C, R })).toMatchObject(expected);
    await say(first, "gamma");
    await say(second, "delta");
    expect(await told(home, { P, C, R })).toMatchObject(expected);
    // An elder that is gone too leaves two copies, of which neither is the other's parent.
    await elder.end();
    removeTranscript(home, G);
    expect(await told(home, { P, C, R })).toMatchObject(expected);
    await Promise.all([first, second].map((client) => client.end()));
    const left = await told(home, { G, P, C, R });
    for (const name of ["C", "R"]) expect(left[name]).toMatch(/^fork of [GP]\?$|^unknown$/);
  });

  it("says nothing as a fork, and every command names its parent at once", async () => {
    const { world, home, say } = await familyOf(version);
    const P = newId();
    const parent = await world.start(version, { args: ["--session-id", P, "-n", "lead"], team: "web" });
    await say(parent, "alpha");
    const client = await world.start(version, { args: ["--resume", P, "--fork-session"], team: "web" });
    const C = sessionOf(client);
    expect(client.transcript(C)).toEqual([]);
    const run = (...args: string[]) => {
      const { code, stdout } = hivemind(home, args, { env: envOf(home), cwd: home.work });
      expect(code).toBe(0);
      return JSON.parse(stdout);
    };
    const isChild = { parent: P, child: C, kind: "fork", source: "arguments", inferred: false };
    expect(run("lineage", "--json").edges).toMatchObject([isChild]);
    const { sessions } = run("sessions", "--json");
    expect(sessions.find(({ id }: { id: SessionId }) => id === C)).toMatchObject({ parent: P });
    hivemind(home, ["team", "register", "web"], { env: envOf(home), cwd: home.work });
    const { agents } = run("registry", "refresh", "--json");
    expect(agents.find(({ uuid }: { uuid: SessionId }) => uuid === C)).toMatchObject({ parent: P });
    expect(run("forks", "list", "--uuid", C, "--json").rows).toMatchObject([{ uuid: C, parent: P }]);
    // S5 keeps what was seen.
    await client.end();
    expect(await told(home, { P, C })).toMatchObject({ C: "fork of P" });
  });

  it("renames two forks that say nothing, and neither comes from the other", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const P = newId();
    const parent = await begin("--session-id", P, "-n", "lead");
    await say(parent, "alpha");
    const clients = [await fork(P), await fork(P)];
    const [C, D] = clients.map(sessionOf) as [SessionId, SessionId];
    for (const [at, client] of clients.entries()) {
      await client.settled();
      await client.submit(`/rename number${at}`);
      const records = () => JSON.stringify(client.transcript(sessionOf(client)));
      await until("its new name", () => records().includes("Session renamed"));
    }
    const expected = { C: "fork of P", D: "fork of P" };
    expect(await told(home, { P, C, D })).toMatchObject(expected);
    await Promise.all([parent, ...clients].map((client) => client.end()));
    expect(await told(home, { P, C, D })).toMatchObject(expected);
    removeTranscript(home, P);
    for (const each of Object.values(await told(home, { P, C, D }))) expect(each).toMatch(/\?$|^unknown$/);
  });

  it("forks a cleared session, a copy made by hivemind and one whose own transcript is deleted", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const P = newId();
    const parent = await begin("--session-id", P, "-n", "lead");
    await say(parent, "alpha");
    const { stdout } = hivemind(home, ["sessions", "fork", P], { env: envOf(home) });
    const O = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(stdout.replaceAll(P, ""))![0] as SessionId;
    const D = await moveOn(parent, "/clear");
    await say(parent, "beta");
    const [ofCleared, ofCopy, bare] = [await fork(D), await fork(O), await fork(P)];
    const [C, G, R] = [ofCleared, ofCopy, bare].map(sessionOf) as [SessionId, SessionId, SessionId];
    const expected = { O: "branch of P", C: "fork of D", G: "fork of O", R: "fork of P" };
    expect(await told(home, { P, O, D, C, G, R })).toMatchObject(expected);
    for (const client of [ofCleared, ofCopy, bare]) await say(client, "gamma");
    expect(await told(home, { P, O, D, C, G, R })).toMatchObject(expected);
    removeTranscript(home, R);
    expect(await told(home, { P, R })).toMatchObject({ R: "fork of P" });
    await say(bare, "delta");
    expect(await told(home, { P, R })).toMatchObject({ R: "fork of P" });
    // Two copies of the same words are alike once nobody runs.
    await ofCopy.end();
    expect(await told(home, { P, O, G })).toMatchObject({ G: "fork of P?" });
  });

  it("forks a session whose first answer was written before its question", async () => {
    const { home, begin, fork, say } = await familyOf(version);
    const P = newId();
    const parent = await begin("--session-id", P, "-n", "lead");
    await say(parent, "alpha");
    await parent.end();
    writeAnswerFirst(home, P);
    const client = await fork(P);
    const C = sessionOf(client);
    expect(await told(home, { P, C })).toEqual({ P: "unknown", C: "fork of P" });
    await say(client, "beta");
    expect(await told(home, { P, C })).toEqual({ P: "unknown", C: "fork of P" });
    await client.end();
    expect(await told(home, { P, C })).toEqual({ P: "unknown", C: "fork of P" });
  });

  it("forks what --continue finds, which is known once it has spoken", async () => {
    const { home, begin, say } = await familyOf(version);
    const P = newId();
    await say(await begin("--session-id", P, "-n", "lead"), "alpha");
    const client = await begin("--continue", "--fork-session");
    const C = sessionOf(client);
    expect(await told(home, { P, C })).toEqual({ P: "unknown", C: "unknown" });
    await say(client, "beta");
    expect(await told(home, { P, C })).toEqual({ P: "unknown", C: "fork of P" });
  });
});

it("2.1.325 forks by a name and from another folder", async () => {
  const { world, home, begin, say } = await familyOf("2.1.325");
  const P = newId();
  const cwd = join(home.root, "other");
  mkdirSync(cwd);
  // A running client would write its own list of trusted folders over this one.
  skipFirstRun(home.claude, cwd, true);
  await say(await begin("--session-id", P, "-n", "lead"), "alpha");
  const named = await begin("--resume", "lead", "--fork-session");
  const N = sessionOf(named);
  const away = await world.start("2.1.325", { args: ["--resume", P, "--fork-session"], cwd, team: "away" });
  const C = sessionOf(away);
  expect(await told(home, { P, N, C })).toEqual({ P: "unknown", N: "unknown", C: "fork of P" });
  await say(named, "beta");
  await say(away, "gamma");
  expect(await told(home, { P, N, C })).toEqual({ P: "unknown", N: "fork of P", C: "fork of P" });
});
