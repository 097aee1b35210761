// A word of a command line that a person may paste: what others chose (a folder's name) stays one word and runs nothing.

/**
 * Quoted only where a shell would see more than a plain word, so that most hints stay easy to read. zsh takes `=name`
 * for the path of a program.
 */
export function shellWord(text: string): string {
  return /^(?!=)[A-Za-z0-9_./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
