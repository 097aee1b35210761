import { readdirSync } from "node:fs";
import { errorCode } from "./errors.js";

/** A folder that is not there has nothing in it; one that cannot be looked at is an error. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
