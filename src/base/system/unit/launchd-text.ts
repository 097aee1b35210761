// The text of a launchd agent. Pure.
//
// launchd ends what its agent started unless AbandonProcessGroup is set: a tmux server belongs to the user.

import { HiveError } from "../../errors.js";
import { madeLine, type UnitWish } from "./unit.js";

export function plistText({ name, madeBy, program, variables, logPath, madeFolders }: UnitWish): string {
  const text = (value: string) => `<string>${escaped(value, name)}</string>`;
  const [made, removed] = madeBy;
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${madeLine(madeFolders)} -->`,
    `<!-- Made by: ${made} -->`,
    `<!-- Removed by: ${removed} -->`,
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key>${text(name)}`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...program.map((word) => `    ${text(word)}`),
    "  </array>",
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    ...[...variables].map(([variable, value]) => `    <key>${escaped(variable, name)}</key>${text(value)}`),
    "  </dict>",
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key>",
    "  <dict>",
    "    <key>SuccessfulExit</key><false/>",
    "  </dict>",
    "  <key>ThrottleInterval</key><integer>10</integer>",
    "  <key>AbandonProcessGroup</key><true/>",
    `  <key>StandardOutPath</key>${text(logPath)}`,
    `  <key>StandardErrorPath</key>${text(logPath)}`,
    "</dict>",
    "</plist>",
  ].join("\n")}\n`;
}

/** XML has no form for control characters, and a reader makes one blank of a line break. */
function escaped(value: string, name: string): string {
  const control = /[\u0000-\u001f\u007f\ufffe\uffff]/.test(value);
  if (control || /\p{Cs}/u.test(value))
    throw new HiveError(`a property list cannot hold this value: ${JSON.stringify(value)}`, {
      hint: `it has a line break or another control character; without it ${name} can be installed`,
    });
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
