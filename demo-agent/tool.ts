// The tools that the demo agent uses: a command, which it never runs, and a question to its user.

export interface Tool {
  name: string;
  input: Readonly<Record<string, unknown>>;
  /** As the screen names the use. */
  shown: string;
  question: Question | null;
}

export interface Question {
  text: string;
  options: readonly string[];
}

export function commandTool(command: string): Tool {
  return { name: "Bash", input: { command }, shown: `Bash(${command})`, question: null };
}

export function questionTool(question: Question): Tool {
  const { text, options } = question;
  const input = {
    questions: [
      {
        question: text,
        header: "Question",
        options: options.map((label) => ({ label, description: label })),
        multiSelect: false,
      },
    ],
  };
  return { name: "AskUserQuestion", input, shown: "User answered Claude's questions:", question };
}

/** What the model is told after a yes. */
export function resultOf({ question }: Tool, answers: Readonly<Record<string, unknown>>): string {
  if (question === null) return "done";
  const said = Object.entries(answers).map(([asked, answer]) => `"${asked}"="${String(answer)}"`);
  return `User has answered your questions: ${said.join(", ")}. You can now continue with the user's answers in mind.`;
}
