// Finds the parts of the page by their roles and names, as a screen reader does.

import type { Locator, Page } from "playwright-core";

/** An agent's row on the board. */
export function rowOf(page: Page, role: string): Locator {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name: role, exact: true }) });
}

/** What an agent asks, in the inbox or on its own page. */
export function itemOf(where: Page | Locator, role: string): Locator {
  const page = "page" in where ? where.page() : where;
  return where.getByRole("listitem").filter({ has: page.getByRole("heading", { name: `${role} asks` }) });
}

/** By the navigation; on a phone some views are behind "More". */
export async function goTo(page: Page, view: string): Promise<void> {
  const views = page.getByRole("navigation", { name: "Views" });
  await views.waitFor();
  const link = views.getByRole("link", { name: view });
  if (await link.isVisible()) await link.click();
  else {
    await views.getByRole("link", { name: "More" }).click();
    await page.getByRole("navigation", { name: "More views" }).getByRole("link", { name: view }).click();
  }
  await page.getByRole("heading", { level: 1, name: view }).waitFor();
}
