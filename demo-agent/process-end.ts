// The ways in which the terminal or a signal ends the client.

/** Calls `end` with the reason for the hooks and the exit code. */
export function watchForEnd(end: (reason: string, code: number) => void): void {
  const { stdin, stdout } = process;
  const hungUp = () => end("other", 129);
  stdin.on("end", hungUp).on("error", hungUp);
  stdout.on("error", hungUp);
  process.on("SIGHUP", hungUp);
  process.on("SIGTERM", () => end("other", 143));
  process.on("SIGINT", () => end("other", 0));
}
