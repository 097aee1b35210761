// An agent of a team file has the same session id for ever: resumed under it, or begun anew at it.

import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { freshenSession } from "../../src/agents/claude/freshen.js";
import type { SessionId } from "../../src/names/gates.js";
import { deriveSessionId, sessionName } from "../../src/names/session-id.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

it.each(clientVersions)("the client %s resumes a derived id, and begins anew at it", async (version) => {
  const { api, home, start } = await testWorld();
  const [project, agent] = ["hello", "mgr"];
  const id = deriveSessionId(project, agent);
  const name = sessionName(project, agent);
  const ask = async (client: RealClient, word: string) => {
    api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
    await client.submit(word);
    await until(`the answer to ${word} on disk`, () => said(client, id).includes(`answer to ${word}`));
  };

  /** For a moment it may have a name made up of the folder. */
  const isNamed = (client: RealClient) =>
    until("its name", () => client.registryFile()?.sessionId === id && client.registryFile()?.name === name);

  const first = await start(version, { args: ["--session-id", id, "-n", name], team: "first" });
  await isNamed(first);
  await ask(first, "aardvark");
  await first.end();

  const second = await start(version, { args: ["--resume", id, "-n", name], team: "second" });
  await isNamed(second);
  await second.waitForScreen(/answer to aardvark/);
  await ask(second, "bandicoot");
  // What it sends to the model holds the words of before.
  expect(JSON.stringify(api.requests.findLast(({ isTurn }) => isTurn)?.body)).toContain("aardvark");
  await second.end();
  expect(said(second, id)).toMatch(/answer to aardvark.*answer to bandicoot/);

  const aside = freshenSession(home.claude, project, agent);
  expect(aside).toMatch(new RegExp(`${id}\\.jsonl\\.bak$`));
  expect(second.transcript(id)).toEqual([]);
  const third = await start(version, { args: ["--session-id", id, "-n", name], team: "third" });
  await isNamed(third);
  await ask(third, "capybara");
  expect(said(third, id)).not.toMatch(/aardvark|bandicoot/);
  expect(JSON.stringify(api.requests.findLast(({ isTurn }) => isTurn)?.body)).not.toMatch(
    /aardvark|bandicoot/,
  );
  expect(existsSync(aside!)).toBe(true);
});

/** Its messages, as one line: what is in them, and in which order. */
function said(client: RealClient, id: SessionId): string {
  const isMessage = ({ type }: { type?: unknown }) => type === "user" || type === "assistant";
  return JSON.stringify(client.transcript(id).filter(isMessage));
}
