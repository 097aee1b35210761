// Quotes a word of a command line for pasting: foreign text (a folder's name) stays one word and executes nothing.

/**
 * Quotes only if a shell would not read a plain word, so that most hints stay readable. zsh expands `=name` to the
 * path of a program.
 */
export function shellWord(text: string): string {
  return /^(?!=)[A-Za-z0-9_./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
