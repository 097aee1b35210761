import { textTable } from "../../base/text/table.js";
import { limits } from "../../limits.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const fleetMail: Command = {
  words: "fleet mail",
  about: "what became of the messages to agents of other hosts",
  examples: ["hivemind fleet mail", "hivemind fleet mail --json"],
  notes:
    'The newest come last. "sent": it waits in the mail of that host for up to a day, also while the host is away. The\n' +
    "watcher of this host writes down what other hosts say about it.",
  hasJson: true,
  async run(cli, input) {
    const { stores, env } = await cli.hive();
    const { joinOf } = await import("../../link/join.js");
    const { lastMailRows } = await import("../../stores/link/mail-log.js");
    const { mailOrigin } = await import("../../names/mail-id.js");
    const own = joinOf(env, stores)?.host;
    const rows = [...lastMailRows(stores.mail.read().rows).values()].filter(
      ({ id }) => mailOrigin(id) === own,
    );
    const mail = rows
      .slice(-limits.ownMessages)
      .map(({ id, with: to, at, step, detail }) => ({ id, to, at, step, detail }));
    if (input.flag("json")) cli.out.json({ mail });
    else if (mail.length === 0) cli.out.print("This host has sent no message to an agent of another host.");
    else {
      const cells = mail.map(({ to, at, step, detail }) => [at, shown(to), step, shown(detail)]);
      cli.out.table(textTable([["TIME", "TO", "STEP", "WHY"], ...cells]));
    }
  },
};
