// What is stored on another host comes here, into a box of its own. The far side is only read.

import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import { type BoxFile, type BoxPage, readPage } from "../stores/box-page.js";
import type { BoxName } from "../stores/pulled.js";
import type { Stores } from "../stores/stores.js";
import type { Far } from "./far.js";

export interface PullPlan {
  name: BoxName;
  page: BoxPage;
  missing: BoxFile[];
  /** What the far side cannot give, in words. */
  problems: string[];
}

/** Nothing is written yet, on either side. */
export async function planPull(far: Far, { pulled }: Stores, team: TeamName | null): Promise<PullPlan> {
  const answer = await far.ask({ ask: "pack", teams: team === null ? null : [team], host: far.host });
  const page = { ...readPage(answer.page), host: far.host };
  const name = { host: far.host, team };
  const problems = Array.isArray(answer.problems) ? answer.problems.map(String) : [];
  return { name, page, missing: await pulled.missing(name, page), problems };
}

/** The folder of the box. */
export async function pullBox(
  far: Far,
  { pulled }: Stores,
  { name, page }: PullPlan,
  onProgress: (doneBytes: number, totalBytes: number) => void,
): Promise<string> {
  return pulled.receive(name, page, async (wanted, put) => {
    const left = new Map(wanted.map((file) => [file.path, file]));
    const tally = counted(wanted, onProgress);
    await far.ask({ ask: "send", paths: [...left.keys()] }, async ({ is, path, sizeBytes }, wire) => {
      if (is !== "file") return;
      const file = left.get(String(path));
      if (file === undefined || file.sizeBytes !== sizeBytes)
        throw new HiveError(`${far.host} sends what was not asked for`);
      left.delete(file.path);
      await put(file, tally(wire.readBytes(file.sizeBytes)));
    });
  });
}

/** Passes bytes on, and tells how many of all there were. */
export function counted(
  files: readonly BoxFile[],
  onProgress: (doneBytes: number, totalBytes: number) => void,
): (bytes: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const totalBytes = sizeOf(files);
  let doneBytes = 0;
  return async function* (bytes) {
    for await (const piece of bytes) {
      doneBytes += piece.length;
      onProgress(doneBytes, totalBytes);
      yield piece;
    }
  };
}

export function sizeOf(files: readonly BoxFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
