// How many commands run at once inside the server. Further ones wait in a line; what does not fit there is refused.

import { exitCodes, HiveError } from "../../base/errors.js";

export type WaitingLine = <T>(work: () => Promise<T>, interrupted: AbortSignal) => Promise<T>;

export function openLine(mostRunning: number, mostWaiting: number): WaitingLine {
  const waiting = new Set<() => void>();
  let running = 0;
  const next = () => {
    const [first] = waiting;
    if (first === undefined || running >= mostRunning) return;
    waiting.delete(first);
    running++;
    first();
  };
  const turn = (interrupted: AbortSignal) =>
    new Promise<void>((begin, leave) => {
      if (waiting.size >= mostWaiting) return leave(tooMuch());
      const mine = () => {
        interrupted.removeEventListener("abort", stop);
        begin();
      };
      const stop = () => {
        if (waiting.delete(mine)) leave(tooMuch());
      };
      interrupted.addEventListener("abort", stop, { once: true });
      waiting.add(mine);
      next();
    });
  return async (work, interrupted) => {
    await turn(interrupted);
    try {
      return await work();
    } finally {
      running--;
      next();
    }
  };
}

function tooMuch(): HiveError {
  return new HiveError("the server has too much to do", {
    hint: "try again in a second",
    exitCode: exitCodes.couldNotLook,
  });
}
