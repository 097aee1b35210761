// Copies transcripts to the fleet's server, and only what was added since the last time.
//
// [CW1] A copy goes on only if the server's last part has the checksum of the same bytes here. Otherwise, or if the
//       server has forgotten its first part, the transcript is copied anew.

import { createHash, type Hash } from "node:crypto";
import { constants, readSync, statSync } from "node:fs";
import { withFile } from "../../base/files/atomic-file.js";
import { wholeLines } from "../../hosts/pack.js";
import { limits } from "../../limits.js";
import type { Host, SessionId } from "../../names/gates.js";
import type { Bus } from "../../nats/bus.js";
import { streams, subjects } from "../subjects.js";
import { packPart, partHeaders, readPart } from "./copy-form.js";

/** What the server has of a transcript. */
export interface Copied {
  sizeBytes: number;
  sha256: string;
  /** The sequence of its first part; null for an empty transcript. */
  first: number | null;
}

export interface Copier {
  follow(session: SessionId, path: string): Promise<Copied>;
  /** Looks whether the server has dropped something; resolves to whether it has. */
  check(): Promise<boolean>;
  /** The server may have taken what it did not answer: everything is looked at again. */
  forget(): void;
}

interface Known {
  file: number;
  size: number;
  hash: Hash;
  first: number | null;
}

export function openCopier(bus: Bus, host: Host): Copier {
  const known = new Map<SessionId, Known>();

  async function resumed(session: SessionId, path: string, file: number, size: number): Promise<Known> {
    const last = await bus.last(streams.copies, subjects.copy(host, session));
    const part = last && readPart(last);
    const facts = await bus.streamFacts(streams.copies);
    const anew: Known = { file, size: 0, hash: createHash("sha256"), first: null };
    if (part === null || part.to > size || facts === null || part.first < facts.firstSequence) return anew;
    const hash = hashOf(path, part.to);
    if (hash.copy().digest("hex") !== part.sha256) return anew;
    return { file, size: part.to, hash, first: part.first };
  }

  async function send(session: SessionId, state: Known, bytes: Buffer): Promise<void> {
    const { size: from, first } = state;
    const hash = state.hash.copy().update(bytes);
    const to = from + bytes.length;
    const headers = partHeaders({ from, to, sha256: hash.copy().digest("hex"), first });
    const { sequence } = await bus.append(subjects.copy(host, session), packPart(bytes), { headers });
    Object.assign(state, { size: to, hash, first: first ?? sequence });
  }

  return {
    async follow(session, path) {
      const file = statSync(path).ino;
      const size = wholeLines(path);
      const before = known.get(session);
      const isSame = before !== undefined && before.file === file && before.size <= size;
      // Unknown until the server has answered.
      known.delete(session);
      const state = isSame ? before : await resumed(session, path, file, size);
      while (state.size < size) await send(session, state, pieceOf(path, state.size, size));
      known.set(session, state);
      return { sizeBytes: state.size, sha256: state.hash.copy().digest("hex"), first: state.first };
    },
    async check() {
      const firstSequence =
        (await bus.streamFacts(streams.copies))?.firstSequence ?? Number.POSITIVE_INFINITY;
      const gone = [...known].filter(([, { first }]) => first !== null && first < firstSequence);
      for (const [session] of gone) known.delete(session);
      return gone.length > 0;
    },
    forget: () => known.clear(),
  };
}

function pieceOf(path: string, from: number, size: number): Buffer {
  const piece = Buffer.alloc(Math.min(limits.copyPartBytes, size - from));
  const got = withFile(path, constants.O_RDONLY, (fd) => readSync(fd, piece, 0, piece.length, from)) ?? 0;
  if (got < piece.length) throw new Error(`${path} became shorter while it was read`);
  return piece;
}

function hashOf(path: string, size: number): Hash {
  const hash = createHash("sha256");
  for (let from = 0; from < size; ) {
    const piece = pieceOf(path, from, size);
    hash.update(piece);
    from += piece.length;
  }
  return hash;
}
