// How much may happen at once: a bound for everybody together, and a lower one per client, so that one client cannot use
// up what others need.

export interface Turnstile {
  /** Null if there is no room. Call the result once when it is over. */
  enter(who: string): (() => void) | null;
  isInside(who: string): boolean;
}

export function openTurnstile(most: number, mostPerClient: number): Turnstile {
  const counts = new Map<string, number>();
  let inside = 0;
  return {
    isInside: (who) => counts.has(who),
    enter(who) {
      const own = counts.get(who) ?? 0;
      if (inside >= most || own >= mostPerClient) return null;
      counts.set(who, own + 1);
      inside++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        inside--;
        const left = counts.get(who)! - 1;
        if (left === 0) counts.delete(who);
        else counts.set(who, left);
      };
    },
  };
}
