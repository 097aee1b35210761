// The far side, asked by somebody who means no good.

import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Message, openWire } from "../../src/moving/wire.js";
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

test("[SRV1] what is asked is checked, a refusal is an answer, and the next question is heard", async () => {
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
    [{ ask: "format the disk" }, "does not know that question"],
    [{}, "does not know that question"],
    [{ ask: "constructor" }, "does not know that question"],
    [{ ask: "pack", teams: ["-t"], host: "alpha" }, "a team name is"],
    [{ ask: "pack", teams: "web", host: "alpha" }, "not understood"],
    [{ ask: "pack", teams: null, host: "a b" }, "a host is"],
    [{ ask: "pack", teams: null, host: "alpha" }, "nothing is stored yet"],
    [{ ask: "send", paths: [join(home.home, "secret")] }, "nothing was packed under"],
    [{ ask: "receive", page: page({ path: "../secret", sizeBytes: 1, sha256 }) }, "has no place in a box"],
    [{ ask: "receive", page: { ...page(), host: ".." } }, 'refused ".."'],
    [{ ask: "receive", page: { ...page(), version: 2 } }, "a box of version 2"],
    [{ ask: "start", page: page(), maps: [], isFork: true }, "there is no folder"],
    [{ ask: "plan", page: page(), maps: [], isFork: true }, "there is no folder"],
    [{ ask: "look", page: page(), folders: 7 }, "not understood"],
    [{ ask: "look", page: page(), folders: [], sessions: ["../x"] }, "a session id is"],
    [{ ask: "look", page: page(), folders: [], parents: [[idOf(1)], 7] }, "a session id is"],
    [
      { ask: "look", page: page(), folders: [], landings: [{ id: idOf(1), from: "/", to: "/" }] },
      "not understood",
    ],
    [
      { ask: "look", page: page(), folders: [], landings: [{ id: idOf(1), sizeBytes: 1, to: "/" }] },
      "not understood",
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
    message: "hivemind.teams.env arrived damaged: its checksum is another",
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
