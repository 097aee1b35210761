// A failure of the server or the network, in one class.

import { NatsError } from "./bus.js";

export async function orNatsError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw natsError(error);
  }
}

export function natsError(error: unknown): NatsError {
  if (error instanceof NatsError) return error;
  const why = error instanceof Error ? error.message : String(error);
  const hint = hints.find(([form]) => form.test(why))?.[1];
  return new NatsError(`the fleet's server: ${why || "it does not answer"}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** What to do about a failure, by the words of the library. */
const hints: readonly (readonly [RegExp, string])[] = [
  [
    /self[- ]signed certificate|unable to verify|another certificate/i,
    "join with an invitation, or name its certificate with --ca",
  ],
  [/authorization violation|authentication/i, "on the server's machine: hivemind fleet invite HOST --again"],
  [/permissions violation/i, "hivemind fleet doctor shows what this host may do"],
  [
    /ECONNREFUSED|connection refused|timeout|ENOTFOUND|EHOSTUNREACH/i,
    "is it running? hivemind fleet serve starts one",
  ],
];
