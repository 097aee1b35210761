/** The words of a typed line; quotes keep spaces. */
export function typedWords(text: string): string[] {
  const found = text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...found].map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
