import { readdirSync } from "node:fs";
import { errorCode } from "../errors.js";

/** A missing folder is empty; an unreadable one is an error. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
