// The world for several starts at once: they share looks, and change the stores one after the other.
//
// A shared look begins after each of its callers asked for it, so it is as new as a look of their own.

import type { TeamWorld } from "../world.js";

export function sharedWorld(world: TeamWorld): TeamWorld {
  const inLine = openLine();
  return {
    ...world,
    panes: sharedLook(world.panes),
    observe: sharedLook(world.observe),
    change: (work, seen) => inLine(() => world.change(work, seen)),
    emit: (event) => inLine(() => world.emit(event)),
  };
}

/** Everybody who asks before a look begins gets that look. One look at a time. */
export function sharedLook<T>(look: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = async () => {
    // Starts that go on together ask in one turn of the event loop.
    await new Promise(setImmediate);
    next = null;
    return look();
  };
  return () => {
    if (next === null) {
      next = running.then(begin);
      running = next.catch(() => {});
    }
    return next;
  };
}

function openLine(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
