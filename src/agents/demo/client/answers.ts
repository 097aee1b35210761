// What the demo agent makes of a message: a steered, deterministic answer.
//
// [DM1] The same message gets the same answer.
// [DM2] Words in brackets steer: [busy N] [hold] [ask] [crash] [error] [usage N] [limit]. They are not
//       answered.

export interface Steering {
  busyMs: number;
  /** The answer waits for SIGUSR2. */
  isHeld: boolean;
  asks: boolean;
  crashes: boolean;
  /** What the client says in the model's place; null when the model answers. */
  failure: string | null;
  usageTokens: number | null;
}

const apiError =
  'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}';
const limitReached = "You've hit your limit · resets 11pm (UTC)";

export function steeringOf(message: string): Steering {
  const busy = /\[busy (\d{1,9})\]/.exec(message);
  const usage = /\[usage (\d{1,9})\]/.exec(message);
  return {
    busyMs: busy ? Number(busy[1]) : 0,
    isHeld: message.includes("[hold]"),
    asks: message.includes("[ask]"),
    crashes: message.includes("[crash]"),
    failure: message.includes("[error]") ? apiError : message.includes("[limit]") ? limitReached : null,
    usageTokens: usage ? Number(usage[1]) : null,
  };
}

const answeredWords = 8;
const answeredChars = 80;

export function answerTo(message: string): string {
  const words = message
    .replace(/\[(?:busy \d+|usage \d+|hold|ask|crash|error|limit)\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
  return `Heard: ${words.slice(0, answeredWords).join(" ").slice(0, answeredChars) || "nothing but brackets"}`;
}
