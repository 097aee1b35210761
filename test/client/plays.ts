// How the real client is brought to show something: what a person would type, and what the API answers.

import type { ErrorStatus, Reply, StandInApi } from "./api.js";
import type { RealClient } from "./client.js";

export type Play = (client: RealClient, api: StandInApi) => Promise<unknown>;

export const deadEnd = "http://127.0.0.1:9";
// Only who has a plan has limits. What would go to the plan's own server ends on this machine.
export const subscriber = {
  ANTHROPIC_AUTH_TOKEN: "",
  CLAUDE_CODE_OAUTH_TOKEN: "stand-in",
  HTTPS_PROXY: deadEnd,
  NO_PROXY: "127.0.0.1",
};

export function idle(client: RealClient): Promise<unknown> {
  return client.waitForStatus("idle");
}

export function decoy(): string {
  const rule = "─".repeat(24);
  return `Here is what such a screen looks like:\n\n${rule}\n❯ 1. Yes\n  2. No\n${rule}\n\nDo you want to proceed?\n\n❯ rm -rf build\n\n✻ Thinking… (esc to interrupt)\n`;
}

/** Phrases of the client's own, said by somebody else. A reply that begins with one is drawn like the client's. */
export function limitDecoy(): string {
  return "This is how it looks:\n\nYou've hit your session limit · resets 3pm (UTC)\n\nThat is what it shows, or:\n\n⚠ Usage limit reached · limit resets 3pm\nContext low (3% remaining) · Run /compact\nContext limit reached · /compact or /clear to continue\n";
}

/** Lines as they stand in the reader itself. */
export function ownSource(): string {
  const lines = [
    "const limitForm = /^You've hit your (.+ limit) · resets (.+)$/;",
    'if (row.startsWith("API Error: 500")) return "error";',
    "// ⎿  You've hit your weekly limit · resets Nov 18, 1pm (UTC)",
    "// Context low (3% remaining) · esc to interrupt · ❯ 1. Yes",
  ];
  return `\`\`\`ts\n${lines.join("\n")}\n\`\`\``;
}

export function limitHeaders(status: string, claim: string): Record<string, string> {
  const resetSeconds = Math.floor(Date.now() / 1000) + (claim === "five_hour" ? 2 * 3600 : 3 * 86_400);
  const about = "anthropic-ratelimit-unified";
  return {
    [`${about}-status`]: status,
    [`${about}-reset`]: String(resetSeconds),
    [`${about}-representative-claim`]: claim,
    [`${about}-5h-utilization`]: "0.93",
    [`${about}-5h-reset`]: String(resetSeconds),
  };
}

export function limited(claim = "five_hour"): Play {
  return limitedBehind(null, claim);
}

/** It is told again and again, however often the client tries. */
export function limitedBehind(first: Reply | null, claim = "five_hour"): Play {
  return async (client, api) => {
    if (first !== null) api.next(first);
    api.next(
      ...Array.from({ length: 3 }, () => ({ error: 429 as const, headers: limitHeaders("rejected", claim) })),
    );
    await client.submit("how is it going?");
    return client.waitForScreen(/ for \ds/);
  };
}

/** The menu that 2.1.197 brings, or the promise of 2.1.325 to go on by itself. */
export async function dismissed(client: RealClient, api: StandInApi): Promise<unknown> {
  await client.settled();
  client.keys("Escape");
  api.forget();
  await client.waitForStatus("idle");
  await client.waitForScreen(/❯\u00a0/);
  return client.settled();
}

export async function entered(client: RealClient): Promise<unknown> {
  client.keys("Enter");
  return client.waitForScreen(/⎿/);
}

export async function nearLimit(client: RealClient, api: StandInApi): Promise<unknown> {
  api.next({ text: "fine", headers: limitHeaders("allowed_warning", "five_hour") });
  await client.submit("how is it going?");
  return client.waitForScreen(/used|Approaching|close/);
}

export function filled(tokens: number, shown: string): Play {
  return async (client, api) => {
    api.next({ text: "hm", usage: { input_tokens: tokens } });
    await client.submit("how is it going?");
    return client.waitForScreen(new RegExp(shown));
  };
}

export async function overfilled(client: RealClient): Promise<unknown> {
  await client.waitForStatus("idle");
  await client.submit("and now");
  return client.waitForScreen(/Context limit/);
}

export async function background(client: RealClient, api: StandInApi): Promise<unknown> {
  const input = { command: "timeout 20 tail -f /dev/null", description: "Wait", run_in_background: true };
  api.next({ tool: "Bash", input }, { text: "It runs." });
  await client.submit("how is it going?");
  return client.waitForScreen(/ for \ds/);
}

export async function offline(client: RealClient): Promise<unknown> {
  await client.submit("how is it going?");
  return client.waitForScreen(/ for \ds/);
}

export async function retrying(client: RealClient, api: StandInApi): Promise<unknown> {
  api.next(...Array.from({ length: 4 }, () => ({ error: 529 as const })));
  await client.submit("how is it going?");
  return client.waitForScreen(/attempt \d/);
}

export async function suggested(client: RealClient, api: StandInApi): Promise<unknown> {
  api.suggest("run the tests");
  for (const turn of ["one", "two", "three"]) {
    api.next({ text: `answer ${turn}` });
    await client.submit(`question ${turn}`);
    await client.waitForScreen(new RegExp(`answer ${turn}`));
    await client.waitForStatus("idle");
  }
  return client.waitForScreen(/❯\u00a0run the tests/);
}

export async function busy(client: RealClient, api: StandInApi): Promise<unknown> {
  api.next({ text: "done at last", held: true });
  await client.submit("how is it going?");
  await client.waitForStatus("busy");
  return client.waitForScreen(/…/);
}

export async function queued(client: RealClient): Promise<unknown> {
  await client.submit("and then the docs");
  return client.waitForScreen(/up to edit/);
}

export function permission(client: RealClient, api: StandInApi): Promise<unknown> {
  return tool("Bash", { command: "rm -rf build", description: "Remove the build" }, "1. Yes")(client, api);
}

export function question(client: RealClient, api: StandInApi): Promise<unknown> {
  const options = [
    { label: "Red", description: "The warm one" },
    { label: "Blue", description: "The cold one" },
  ];
  const questions = [
    { question: "Which colour do you want?", header: "Colour", options, multiSelect: false },
  ];
  return tool("AskUserQuestion", { questions }, "1. Red")(client, api);
}

export function after(first: Play, then: Play): Play {
  return async (client, api) => {
    await first(client, api);
    await then(client, api);
  };
}

export function talk(text: string): Play {
  return async (client, api) => {
    api.next({ text });
    await client.submit("how is it going?");
    await client.waitForScreen(/ for \ds/);
    await client.waitForStatus("idle");
  };
}

export function tool(name: string, input: Record<string, unknown>, shown: string): Play {
  return async (client, api) => {
    api.next({ tool: name, input });
    await client.submit("how is it going?");
    await client.waitForScreen(new RegExp(shown));
  };
}

export function command(text: string, shown: string): Play {
  return async (client) => {
    await client.submit(text);
    await client.waitForScreen(new RegExp(shown));
  };
}

export function failing(error: ErrorStatus, shown = "scripted", message?: string): Play {
  return async (client, api) => {
    const reply: Reply = message === undefined ? { error } : { error, message };
    // Some are tried again in spite of the limit.
    api.next(...Array.from({ length: message === undefined ? 1 : 6 }, () => reply));
    await client.submit("how is it going?");
    await client.waitForScreen(new RegExp(`${error}|${shown}`));
    await client.waitForStatus("idle");
  };
}

export function typing(text: string, shown = text): Play {
  return async (client) => {
    client.type(text);
    await client.waitForScreen(new RegExp(shown.replace(/[.?*+()[\]{}|\\^$]/g, "\\$&")));
  };
}

export function shows(text: string): Play {
  return (client) => client.waitForScreen(new RegExp(text));
}

export function keys(names: string[], shown: string): Play {
  return async (client) => {
    client.keys(...names);
    await client.waitForScreen(new RegExp(shown));
  };
}

export async function twoLines(client: RealClient): Promise<unknown> {
  client.type("first line\\");
  await client.waitForScreen(/line\\/);
  client.keys("Enter");
  await client.waitForScreen(/first line *\n/);
  client.type("second line");
  return client.waitForScreen(/second line/);
}

export async function blankLine(client: RealClient): Promise<unknown> {
  client.paste("first paragraph\n\n  second, indented");
  return client.waitForScreen(/indented/);
}

export async function tall(client: RealClient): Promise<unknown> {
  for (let n = 1; n <= 30; n++) {
    client.type(`line ${n}`);
    await client.waitForScreen(new RegExp(`line ${n}\\s`));
    client.keys("C-j");
  }
  client.type("the end");
  return client.waitForScreen(/the end/);
}

export async function pasted(client: RealClient): Promise<unknown> {
  client.paste(Array.from({ length: 40 }, (_, n) => `pasted line ${n}`).join("\n"));
  return client.waitForScreen(/Pasted text|line 39/);
}

export async function cursorInside(client: RealClient): Promise<unknown> {
  client.type("please look at the build");
  await client.waitForScreen(/the build/);
  client.keys("Home");
  for (let n = 0; n < 3; n++) client.keys("Right");
  return client.settled();
}
