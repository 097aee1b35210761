// The walk of walk.ts by the functions of simd/.

import type { Simd } from "./simd-block.js";
import type { Member } from "./walk.js";

export interface WalkPlan {
  /** Every member in the order of its place. */
  members: readonly Member[];
  outermost: readonly Member[];
  /** The places of the members that end the walk. */
  ending: readonly number[];
  starts: Int32Array;
  ends: Int32Array;
}

export interface SimdWalk {
  /** Fills `starts` and `ends`. Returns where the walk stopped, or -1. */
  walk(from: number, to: number): number;
  /** The addresses of the members, and of the starts and ends that the functions find. */
  first: number;
  places: number;
}

export function simdWalk(simd: Simd, plan: WalkPlan): SimdWalk {
  const { members, ending, starts, ends } = plan;
  const count = members.length;
  const first = keepMembers(simd, plan);
  const places = simd.keep(new Uint8Array(8 * count));
  const found = new Int32Array(simd.memory, places, 2 * count);
  const { walk } = simd.functions;
  return {
    first,
    places,
    walk(from, to) {
      const end = walk(first, places, count, ending.length, from, to);
      for (let place = 0; place < count; place++) {
        starts[place] = found[place]!;
        ends[place] = found[count + place]!;
      }
      return end;
    },
  };
}

/** The fields of `Member` in simd/walk.ts, four bytes each. */
const memberBytes = 32;

/** The address of the first of the outermost members. */
function keepMembers(simd: Simd, { members, outermost, ending }: WalkPlan): number {
  const table = simd.keep(new Uint8Array(memberBytes * members.length));
  const addressOf = (member: Member | undefined) =>
    member === undefined ? 0 : table + memberBytes * member.place;
  const keepAll = (siblings: readonly Member[]) => {
    for (const [at, { key, place, next, inside, isFirst }] of siblings.entries()) {
      const links = [addressOf(siblings[at + 1]), addressOf(inside?.[0])];
      const flags = [Number(isFirst), Number(ending.includes(place))];
      const address = table + memberBytes * place;
      new Int32Array(simd.memory, address, 8).set([
        simd.keep(key),
        key.length,
        place,
        next,
        ...links,
        ...flags,
      ]);
      keepAll(inside ?? []);
    }
  };
  keepAll(outermost);
  return addressOf(outermost[0]);
}
