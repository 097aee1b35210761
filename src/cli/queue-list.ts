import { rowAddress } from "../fleet/find-pane.js";
import type { Hive } from "../hive.js";
import { type PaneAddress, paneAddress } from "../names/gates.js";
import { isExpired, secondsOf } from "../stores/queue-rows.js";
import type { Message } from "../stores/queues.js";
import type { Command } from "./command.js";
import { type Output, shown } from "./output.js";

export const queueList: Command = {
  words: "queue list",
  about: "what waits to be said to whom",
  args: [{ name: "pane", about: "only this one", meaning: "pane", isOptional: true }],
  examples: ["hivemind queue list", "hivemind queue list web4team:0.1 --json"],
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const typed = input.arg("pane");
    const { queues } = hive.stores;
    const panes = typed === undefined ? queues.panes() : [await addressed(hive, typed)];
    const nowSeconds = Math.floor(Date.now() / 1000);
    const found = panes.map((pane) => ({
      pane,
      messages: queues.read(pane).messages.map((each) => row(each, nowSeconds)),
    }));
    if (input.flag("json")) cli.out.json({ queues: found });
    else
      show(
        found.filter(({ messages }) => messages.length > 0),
        cli.out,
      );
    return undefined;
  },
};

type Row = ReturnType<typeof row>;

function row({ id, stamp, intent, text }: Message, nowSeconds: number) {
  return {
    id,
    epoch: stamp,
    intent,
    text,
    ageSeconds: nowSeconds - secondsOf(stamp),
    expired: isExpired(stamp, nowSeconds),
  };
}

function show(queues: readonly { pane: PaneAddress; messages: readonly Row[] }[], out: Output): void {
  if (queues.length === 0) out.print("Nothing is queued.");
  for (const { pane, messages } of queues) {
    out.print(out.colours.bold(pane));
    for (const [at, { text, intent, ageSeconds, expired }] of messages.entries()) {
      const facts = [`${ageSeconds} s ago`, intent === "inform" ? "" : intent, expired ? "expired" : ""];
      out.print(`  ${at + 1}. ${shown(text)}  ${out.colours.dim(`(${facts.filter(Boolean).join(", ")})`)}`);
    }
  }
}

/** Rows outlive their pane, so an address is taken as it is; an id or a role exists only while its pane does. */
export async function addressed(hive: Hive, typed: string): Promise<PaneAddress> {
  return typed.includes(":") ? paneAddress(typed) : rowAddress(hive.paneNamed(await hive.panes(), typed));
}
