// The web server with the commands of this program behind it: `serve` and the demo open it.

import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { WebServer, WebServerOptions } from "../../web/run-server.js";
import type { Cli } from "../command.js";
import type { Person } from "../person.js";

export type ServerWishes = Omit<WebServerOptions, "hive" | "release" | "endpoints" | "onBug" | "onTyped">;

/** `person` is the one who started the server: its decisions are theirs. Null on a server that only looks. */
export async function openServer(
  cli: Cli,
  person: Person | null,
  wishes: ServerWishes,
  note: (line: string) => void = cli.out.note,
): Promise<WebServer> {
  const { openWebServer } = await import("../../web/run-server.js");
  const { commandEndpoints } = await import("./endpoints.js");
  const hive = await cli.hive();
  const onBug = (error: unknown) => {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    note(`hivemind serve: this is a bug: ${trace}`);
  };
  return openWebServer({
    ...wishes,
    ...{ hive, onBug, release: HIVEMIND_VERSION, endpoints: commandEndpoints(cli, person) },
    ...(person === null ? {} : { onTyped: await typingRecorder(hive, person, onBug) }),
  });
}

/** Typing is an action too: an event when somebody begins, and again after a pause. */
async function typingRecorder(
  hive: Hive,
  { name }: Person,
  onBug: (error: unknown) => void,
): Promise<NonNullable<WebServerOptions["onTyped"]>> {
  const { recordAct } = await import("./record-act.js");
  const lastMs = new Map<string, number>();
  return (pane, source) => {
    const key = `${pane} ${source}`;
    const isNew = performance.now() - (lastMs.get(key) ?? Number.NEGATIVE_INFINITY) > limits.typingPauseMs;
    lastMs.set(key, performance.now());
    if (isNew) recordAct(hive, { name, from: source }, "type", pane, "done").catch(onBug);
  };
}
