import { serverFacts } from "../fleet/fleet.js";
import { CommandLine } from "../parts/command-line.js";

/** Absent if the server allows actions. */
export function ReadOnlyNote() {
  if (serverFacts.value === null || serverFacts.value.allowsActions) return null;
  return (
    <p class="read-only soft">
      This server only lets you look. To answer from here:{" "}
      <CommandLine text="hivemind serve --allow-actions" />
    </p>
  );
}

export function allowsActions(): boolean {
  return serverFacts.value?.allowsActions === true;
}
