// Every view of the page, and how one sees that it is there.

import type { Locator, Page } from "playwright-core";
import type { Stage } from "./driver.js";

interface View {
  route: string;
  shows(page: Page): Locator;
}

/** With the page of this agent and of its conversation. */
export function allViews(stage: Stage, role: string): View[] {
  const titled = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { level: 1, name });
  const titles = {
    "#/": "Board",
    "#/inbox": "Inbox",
    "#/sessions": "Sessions",
    "#/lineage": "Lineage",
    "#/timeline": "Timeline",
    "#/health": "Health",
    "#/team-file": "Team file",
    "#/more": "More",
  };
  const agent = `#/agent/${encodeURIComponent(`@${stage.agentId(role)}`)}`;
  const tabs = ["Terminal", "Conversation", "Context", "Messages", "History", "Evidence"];
  return [
    ...Object.entries(titles).map(([route, title]) => ({ route, shows: titled(title) })),
    { route: `#/sessions/${stage.sessionOf(role)}`, shows: titled(role) },
    ...tabs.map((name) => ({
      route: `${agent}?tab=${name.toLowerCase()}`,
      shows: (page: Page) => page.getByRole("tab", { name, selected: true }),
    })),
  ];
}

/** Resolves when the view and what it loads are there. */
export async function open(page: Page, { route, shows }: View): Promise<void> {
  await page.evaluate((to) => Object.assign(globalThis, { location: to }), route);
  await shows(page).waitFor();
  await page.getByText(/^Loading /).waitFor({ state: "detached" });
}
