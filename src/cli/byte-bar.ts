// How far a walk over many bytes is, for a line that is drawn over itself. Pure.

export function byteBar(doneBytes: number, totalBytes: number): string {
  const done = Math.floor((20 * doneBytes) / totalBytes);
  const size = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  return `${"█".repeat(done)}${"░".repeat(20 - done)} ${size(doneBytes)} of ${size(totalBytes)}`;
}
