// What a look costs. The loops rest many times as long, so a fleet of any size takes a small share of a core.
//
// - Time in which other programs had the processor costs nothing: on a busy machine a look takes long, and messages and
//   requests must not wait for that.
// - tmux works for a look about as much as this process does, so processor time counts twice, up to the duration.
// - The cheaper of the last two looks counts: the first look of a process also loads its code.

export interface LookCost {
  begin(): void;
  /** In milliseconds. */
  end(): number;
}

export function openLookCost(
  nowMs: () => number = () => performance.now(),
  processorMs: () => number = ownProcessorMs,
): LookCost {
  let began = { nowMs: 0, processorMs: 0 };
  let before = 0;
  return {
    begin() {
      began = { nowMs: nowMs(), processorMs: processorMs() };
    },
    end() {
      const cost = Math.min(nowMs() - began.nowMs, 2 * (processorMs() - began.processorMs));
      const cheaper = Math.min(cost, before);
      before = cost;
      return cheaper;
    },
  };
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
