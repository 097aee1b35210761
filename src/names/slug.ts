// The folder name under which Claude Code keeps the transcripts of a working folder.
//
// Every UTF-16 unit outside [A-Za-z0-9] becomes one `-`. Different folders can share a slug, so a slug finds
// transcripts but does not prove their workspace.

/** `realCwd` has its symlinks resolved, because that is what the client sees. */
export function projectSlug(realCwd: string): string {
  return realCwd.replace(/[^A-Za-z0-9]/g, "-");
}
