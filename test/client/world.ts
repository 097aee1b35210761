// A home, a stand-in API, and the clients started in them: they end together, and in the right order.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { type StandInApi, startApi } from "./api.js";
import { type ClientOptions, type RealClient, startClient } from "./client.js";
import { endAll } from "./end-all.js";
import type { ClientVersion } from "./install.js";
import { typedWords } from "./typed-words.js";

export interface ClientWorld {
  home: TestHome;
  api: StandInApi;
  start(version: ClientVersion, options?: ClientOptions): Promise<RealClient>;
  /** Ends every client, then removes the home; throws if a client wrote into a home that is not its own. */
  end(): Promise<void>;
}

/** Made for the running test, and taken away with it. */
export async function testWorld(): Promise<ClientWorld> {
  const world = await makeWorld();
  onTestFinished(() => world.end());
  return world;
}

export async function makeWorld(): Promise<ClientWorld> {
  const home = makeHome();
  const api = await startApi();
  const clients: RealClient[] = [];
  return {
    home,
    api,
    start: async (version, options) => {
      const client = await startClient(home, api, version, options);
      clients.push(client);
      return client;
    },
    end: async () => {
      await Promise.all(clients.map((client) => client.end()));
      await endAll(home);
      await api.close();
      const [strays, typed] = [straysIn(home), typedWords(home)];
      removeHome(home);
      if (strays.length > 0)
        throw new Error(`a client left files outside its config folder: ${strays.join(", ")}`);
      if (typed.length > 0) throw new Error(`words of agents were typed past the inbox: ${typed.join(", ")}`);
    },
  };
}

/** The home is a canary: a client with a config folder of its own has few reasons to write there. */
function straysIn({ home }: TestHome): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => !expected.some((part) => file.includes(part)));
}

// The handler of its links, which it also registers where a desktop's tools are installed, the logs of the npm that
// `/status` and `/config` run, and git's own list of what to ignore, into which it puts the settings of a project.
const expected = [
  "/.local/share/applications/claude-code-url-handler.desktop",
  "/.config/mimeapps.list",
  "/.npm/_logs/",
  "/.config/git/ignore",
];
