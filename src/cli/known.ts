// Whether there is a command of these words: a hint shall only name what works when it is pasted.

export async function isCommand(words: string): Promise<boolean> {
  // Later than the list itself, which has the asking command in it.
  const { commands } = await import("./commands.js");
  return commands.some((command) => command.words === words);
}
