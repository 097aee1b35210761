// Which model the client was started with. Every model of the client has the same window, except Gemma.

import type { ModelSetup, ModelStart } from "../launch.js";
import { sessionArguments } from "./arguments.js";

const modelVariable = "GEMINI_MODEL";
export const modelVariables = [modelVariable];

const windowTokens = 1_048_576;

export function modelSetup({ args, variables }: ModelStart): ModelSetup {
  const pinned = sessionArguments(args).model ?? variables.get(modelVariable) ?? null;
  const isOther = pinned !== null && !/gemini|^(?:auto|pro|flash|flash-lite)\b/.test(pinned);
  return { pinned, usual: null, isLargeOff: false, windowTokens: isOther ? null : windowTokens };
}
