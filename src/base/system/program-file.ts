// The very file that a process runs, even if it was replaced since.

/** Null if the system does not name it. */
export function programFile(pid: number): string | null {
  return process.platform === "linux" ? `/proc/${pid}/exe` : null;
}
