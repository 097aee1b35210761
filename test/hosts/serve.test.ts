// The remote side, asked by a malicious caller.

import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Message, openWire } from "../../src/hosts/wire/wire.js";
import { mainProgram } from "../command.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

const sha256 = "a".repeat(64);
const page = (...files: object[]) => ({
  version: 1,
  host: "alpha",
  packedAt: "2026-04-22T08:52:40Z",
  savedAt: null,
  teams: ["web"],
  files,
});

test("questions are checked, a refusal is an answer, and the next question is answered", async () => {
  const home = testHome();
  writeFileSync(join(home.home, "secret"), "canary");
  const far = spawn(process.execPath, [mainProgram, "__moving"], { env: home.env, cwd: home.home });
  onTestFinished(() => void far.kill());
  const wire = openWire(far.stdout, far.stdin, 20_000);
  expect(await wire.readGreeting("hivemind moving ")).toContain('"protocol":1');
  const ask = async (question: Message) => {
    await wire.send(question);
    for (;;) {
      const answer = (await wire.read())!;
      if (answer.is === "answer" || answer.is === "refused") return answer;
    }
  };
  const refused: [Message, string][] = [
    [{ ask: "format the disk" }, "does not know this question"],
    [{}, "does not know this question"],
    [{ ask: "constructor" }, "does not know this question"],
    [{ ask: "pack", teams: ["-t"], host: "alpha" }, "a team name is"],
    [{ ask: "pack", teams: "web", host: "alpha" }, "unknown form"],
    [{ ask: "pack", teams: null, host: "a b" }, "a host is"],
    [{ ask: "pack", teams: null, host: "alpha" }, "nothing is stored yet"],
    [{ ask: "send", paths: [join(home.home, "secret")] }, "no packed file"],
    [
      { ask: "receive", page: page({ path: "../secret", sizeBytes: 1, sha256 }) },
      "does not belong in a bundle",
    ],
    [{ ask: "receive", page: { ...page(), host: ".." } }, 'refused ".."'],
    [{ ask: "receive", page: { ...page(), version: 2 } }, "a bundle of version 2"],
    [{ ask: "start", page: page(), maps: [], isFork: true }, "there is no folder"],
    [{ ask: "plan", page: page(), maps: [], isFork: true }, "there is no folder"],
    [{ ask: "look", page: page(), folders: 7 }, "unknown form"],
    [{ ask: "look", page: page(), folders: [], sessions: ["../x"] }, "a session id is"],
    [{ ask: "look", page: page(), folders: [], parents: [[idOf(1)], 7] }, "a session id is"],
    [
      { ask: "look", page: page(), folders: [], landings: [{ id: idOf(1), from: "/", to: "/" }] },
      "unknown form",
    ],
    [
      { ask: "look", page: page(), folders: [], landings: [{ id: idOf(1), sizeBytes: 1, to: "/" }] },
      "unknown form",
    ],
  ];
  for (const [question, words] of refused) {
    const answer = await ask(question);
    expect(answer, words).toMatchObject({ is: "refused", message: expect.stringContaining(words) });
  }
  const damaged = page(
    { path: "hivemind.teams.env", sizeBytes: 3, sha256 },
    { path: "hivemind.roles.env", sizeBytes: 4, sha256 },
  );
  const receiving = ask({ ask: "receive", page: damaged });
  await wire.sendBytes(
    (async function* () {
      yield Buffer.from("abcdefg");
    })(),
  );
  expect(await receiving).toMatchObject({
    is: "refused",
    message: "hivemind.teams.env arrived damaged: its checksum differs",
  });
  expect(await ask({ ask: "look", page: page(), folders: [home.work, "/nowhere"] })).toMatchObject({
    is: "answer",
    noFolders: ["/nowhere"],
  });
  far.stdin.end();
  await new Promise((resolve) => far.on("close", resolve));
  expect(far.exitCode).toBe(0);
  expect(readdirSync(home.home).sort()).toEqual(["config", "secret"]);
  expect(Object.values(contentsOf(home.home)).filter((content) => content !== "(not a file)")).toEqual([
    "canary",
  ]);
});
