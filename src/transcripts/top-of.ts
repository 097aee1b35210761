// Who stands at the top of a tree in which each knows the one above it. Pure.
//
// [TA1] Asking shortens the way for the next who asks: a line of forks of forks can be long, and all of it is asked.

/** `above` may only be used to ask for tops afterwards: it forgets who stood between. */
export function topOf<Id>(above: Map<Id, Id>, one: Id): Id {
  let top = one;
  for (let next = above.get(top); next !== undefined; next = above.get(top)) {
    // Each look halves the way.
    above.set(top, above.get(next) ?? next);
    top = next;
  }
  return top;
}
