// The folder name under which Claude Code keeps the transcripts of a working folder.
//
// [SL1] Every UTF-16 unit outside [A-Za-z0-9] becomes one `-`: different folders can share a slug, so a slug
//       finds transcripts and proves nothing about the workspace they belong to.

/** `realCwd` has its symlinks resolved: that is what the client sees. */
export function projectSlug(realCwd: string): string {
  return realCwd.replace(/[^A-Za-z0-9]/g, "-");
}
