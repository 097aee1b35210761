import { limits } from "../../limits.js";
import type { Fact } from "../../watch/fact.js";
import type { WebServer } from "../../web/run-server.js";
import type { Cli, Command } from "../command.js";
import { shown } from "../output.js";
import type { ServerWishes } from "./open-server.js";
import { serveOptions } from "./wishes.js";

export const serve: Command = {
  words: "serve",
  about: "the fleet in a browser, on this host",
  options: serveOptions,
  examples: [
    "hivemind serve",
    "hivemind serve --allow-actions",
    "hivemind serve link",
    "hivemind serve --listen 0.0.0.0 --host hive.example --tls-cert cert.pem --tls-key key.pem --token-file token",
  ],
  notes:
    "Prints an address that opens the page once; `hivemind serve link` prints another one. The page only looks, unless\n" +
    "you add --allow-actions. Only this host can reach the server. --listen opens it to others, and needs TLS (or a\n" +
    "proxy that speaks it, --behind-proxy) and --token-file. docs/serve.md says more. `serve` also does the work of\n" +
    "`hivemind watch`, unless another process does it. Ctrl-C ends it.",
  async run(cli, input) {
    const { wishesIn } = await import("./wishes.js");
    const wishes = await wishesIn(input);
    const interrupted = cli.untilInterrupted();
    const hive = await cli.hive();
    const { needPerson } = await import("../person.js");
    const person = wishes.allowed.actions ? needPerson(cli, hive, await hive.panes()) : null;
    const { openServer } = await import("./open-server.js");
    const { memberParts } = await import("../fleet/member-parts.js");
    const { runWorker } = await import("../../watch/run-worker.js");
    const { keepBus } = await import("../fleet/keep-bus.js");
    const fleetBus = keepBus();
    const server = await openServer({ ...cli, fleetBus }, person, wishes);
    try {
      cli.out.lines(greeting(cli, server, wishes));
      await runWorker(hive, {
        tickMs: limits.watchTickSeconds * 1000,
        isReconciling: false,
        interrupted,
        tell: (facts) => tell(cli, facts),
        parts: async () => [...(await memberParts(cli)), async ({ bus }) => fleetBus.lend(bus)],
        onPost: (role, holder) => cli.out.print(posts[role](holder)),
      });
    } finally {
      await server.close();
      await fleetBus.close();
    }
  },
};

function greeting(cli: Cli, server: WebServer, { allowed, listen }: ServerWishes): string[] {
  const { bold } = cli.out.colours;
  const does = allowed.typing
    ? "The page looks, acts and types for you."
    : allowed.actions
      ? "The page looks and acts for you; it types into no pane (--allow-typing)."
      : "The page only looks; to approve, send and repair there, start it with --allow-actions.";
  return [
    "Open this address in a browser. It works once, within 10 minutes:",
    `  ${bold(server.newLink())}`,
    does,
    `It listens on ${listen.host}. Another address: ${cli.self} serve link. Ctrl-C ends it.`,
  ];
}

const posts = {
  works: () => "It also delivers messages and saves the teams, as `hivemind watch` does.",
  "takes over": () => "It delivers messages and saves the teams from now on.",
  "looks on": (holder: string) =>
    `Messages and saves are the work of ${holder}; this one takes over when it ends.`,
};

/** What a person must know of the worker; the page shows the rest. */
function tell({ out }: Cli, facts: readonly Fact[]): void {
  for (const fact of facts)
    if (fact.kind === "trouble" || fact.kind === "unsaved" || fact.kind === "well")
      out.note(`hivemind: ${shown(fact.text)}`);
}
