// Conversations of the last days, as a client leaves them: with forks, forks of forks, and work that came to nothing.

import { randomUUID } from "node:crypto";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const hourMs = 3_600_000;

/** `[title, hours ago, hours long, [its forks]]` */
const families = [
  [
    [
      "shop-plan",
      70,
      9,
      [
        ["shop-plan-two", 63, 20, [["no-accounts", 50, 8, []]]],
        ["one-page", 60, 12, []],
      ],
    ],
    [
      "cart",
      47,
      14,
      [
        ["cart-tests", 38, 9, []],
        ["cart-again", 36, 16, [["cart-final", 24, 12, []]]],
      ],
    ],
    [
      "payment",
      28,
      10,
      [
        ["payment-refunds", 21, 9, []],
        ["payment-limits", 19, 6, []],
      ],
    ],
    ["receipt", 12, 6, []],
    ["release-check", 6, 3, [["release-fix", 4, 2, []]]],
  ],
  [
    [
      "manual-outline",
      66,
      12,
      [
        ["manual-short", 52, 18, []],
        ["manual-plan", 49, 10, [["index", 40, 15, []]]],
      ],
    ],
    ["screenshots", 20, 7, []],
    ["glossary", 15, 9, [["glossary-terms", 9, 4, []]]],
  ],
];

/** `client` is the client's config folder; each list of families gets the folder at its place. */
export function plantConversations({ client, folders }) {
  folders.forEach((cwd, at) => {
    const folder = join(client, "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    mkdirSync(cwd, { recursive: true });
    for (const family of families[at]) plant(folder, cwd, family, []);
  });
}

function plant(folder, cwd, [title, beganHours, hours, forks], before) {
  const id = randomUUID();
  const beganMs = Date.now() - beganHours * hourMs;
  const own = Array.from({ length: 2 * Math.ceil(hours / 2) }, (_, at, count = 2 * Math.ceil(hours / 2)) => ({
    uuid: randomUUID(),
    atMs: beganMs + ((at + 1) * hours * hourMs) / (count + 1),
    text:
      at % 2 === 0 ? `Go on with ${title}, part ${at / 2 + 1}.` : `Part ${(at + 1) / 2} of ${title} is done.`,
    isAnswer: at % 2 === 1,
    session: id,
  }));
  const messages = [...before, ...own];
  const lines = messages.map(({ uuid, atMs, text, isAnswer, session }, at) =>
    JSON.stringify({
      ...{
        parentUuid: messages[at - 1]?.uuid ?? null,
        isSidechain: false,
        cwd,
        sessionId: id,
        version: "2.1.325",
      },
      ...{ type: isAnswer ? "assistant" : "user", uuid, timestamp: new Date(atMs).toISOString() },
      ...(session === id ? {} : { forkedFrom: { sessionId: session, messageUuid: uuid } }),
      message: isAnswer
        ? {
            role: "assistant",
            model: "claude-opus-4-8",
            content: [{ type: "text", text }],
            usage: { input_tokens: 9, cache_read_input_tokens: 20_000 + 4000 * at, output_tokens: 99 },
          }
        : { role: "user", content: text },
    }),
  );
  const titled = JSON.stringify({ type: "custom-title", customTitle: title, sessionId: id });
  const path = join(folder, `${id}.jsonl`);
  writeFileSync(path, `${[titled, ...lines].join("\n")}\n`);
  const lastSeconds = messages.at(-1).atMs / 1000;
  utimesSync(path, lastSeconds, lastSeconds);
  for (const fork of forks) {
    const forkMs = Date.now() - fork[1] * hourMs;
    plant(
      folder,
      cwd,
      fork,
      messages.filter(({ atMs }) => atMs <= forkMs).map((each) => ({ ...each, session: id })),
    );
  }
}
