// Chromium without a window, with an empty profile: it asks nobody but the page's own server.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** `home` gets what the browser writes beside its profile, which Playwright makes and removes. */
export function openBrowser(home: string): Promise<Browser> {
  return chromium.launch({
    executablePath: foundBrowser(),
    headless: true,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: home, LANG: "C.UTF-8" },
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}

function foundBrowser(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const path = folders.map((folder) => join(folder, "chromium")).find((each) => existsSync(each));
  if (path === undefined) throw new Error("there is no chromium: node scripts/system.mjs --web");
  return path;
}
