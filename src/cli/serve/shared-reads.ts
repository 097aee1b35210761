// Identical questions that come while one of them is being answered share its answer.

export interface SharedReads {
  /** `work` is interrupted when everybody who waits for it has gone. */
  ask<T>(key: string, interrupted: AbortSignal, work: (interrupted: AbortSignal) => Promise<T>): Promise<T>;
  /** Something has changed: a later question needs an answer of its own. */
  forget(): void;
}

export function openSharedReads(): SharedReads {
  const running = new Map<string, Run>();
  return {
    async ask<T>(key: string, interrupted: AbortSignal, work: (interrupted: AbortSignal) => Promise<T>) {
      const run = running.get(key) ?? begin(running, key, work);
      run.asking++;
      const leave = () => {
        if (--run.asking > 0) return;
        if (running.get(key) === run) running.delete(key);
        run.stop.abort();
      };
      interrupted.addEventListener("abort", leave, { once: true });
      try {
        return (await run.answer) as T;
      } finally {
        interrupted.removeEventListener("abort", leave);
      }
    },
    forget: () => running.clear(),
  };
}

interface Run {
  answer: Promise<unknown>;
  asking: number;
  stop: AbortController;
}

function begin(
  running: Map<string, Run>,
  key: string,
  work: (interrupted: AbortSignal) => Promise<unknown>,
): Run {
  const stop = new AbortController();
  const run: Run = { answer: work(stop.signal), asking: 0, stop };
  const end = () => {
    if (running.get(key) === run) running.delete(key);
  };
  run.answer.then(end, end);
  running.set(key, run);
  return run;
}
