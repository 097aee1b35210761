import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file under a folder with its content, so that two looks can be compared. A missing folder is empty. */
export function contentsOf(folder: string): Record<string, string> {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  } catch {
    return {};
  }
  const files = names.sort().map((name) => [name, join(folder, name)] as const);
  return Object.fromEntries(
    files.map(([name, path]) => [
      name,
      lstatSync(path).isFile() ? readFileSync(path, "latin1") : "(not a file)",
    ]),
  );
}
