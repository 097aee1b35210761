// Builds a tmux session from a saved layout, or completes an existing one.
//
// - Windows get their saved names, indices and shapes, panes their titles and folders, whatever the base indices.
// - There are never more panes than in the layout. Nothing is ended, and only shells and placeholders are run.
// - In an existing tmux session only missing parts are made; a second build changes nothing.
// - A missing folder or an impossible shape is a remark, never a failure.
// - A window at a saved place that is linked from another tmux session is refused before anything is made.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId, TeamName } from "../names/gates.js";
import type { Layout, LayoutPane, LayoutWindow } from "../stores/text/layout-text.js";
import { TmuxError } from "../tmux/error.js";
import { byPlace, findTmuxSession, listServer, type TmuxPane, type TmuxSessionId } from "../tmux/listing.js";
import { setPaneTitle, splitWindow, swapPanes } from "../tmux/pane.js";
import { type PaneStart, placeholder } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { typedTmux } from "../tmux/socket.js";
import type { Tmux } from "../tmux/tmux.js";
import { newWindow, resizeWindow, selectLayout } from "../tmux/window.js";
import { geometryOf, sameGeometry } from "./geometry.js";
import { matchPanes, noteMadeShell, type Place, placeOf } from "./match.js";
import type { Size } from "./sizes.js";

export interface BuildOptions {
  /** The tmux session's name (default: the layout's team). */
  name?: TeamName;
  /** Saved panes that will get an agent: made with a quiet placeholder instead of a shell. */
  awaits?: (place: Place) => boolean;
  /** Panes that are known to be a saved one, wherever they are, for example by their session. */
  known?: ReadonlyMap<Place, PaneId>;
  /** Panes that are known to be no saved one. */
  strangers?: ReadonlySet<PaneId>;
  /** Marks each new shell with its saved place, so that a restore of the team starts the agent in it. */
  notesPlaces?: boolean;
  /** The minimum size, such as a team's size lock. */
  atLeast?: Size | undefined;
  /** The start folder of a pane whose folder is gone (default: the user's home). */
  home?: string | undefined;
}

export interface BuiltPane {
  /** Indices of the layout. */
  window: number;
  pane: number;
  place: Place;
  id: PaneId;
  /** Its current address: indices differ from the saved ones under another pane-base-index. */
  address: PaneAddress;
  /** Made now, with a shell or a placeholder. Any other pane may run anything. */
  isNew: boolean;
}

export interface Built {
  /** One per saved pane, in order. */
  panes: BuiltPane[];
  isNewSession: boolean;
  /** The number of windows that got their saved shape. */
  reshaped: number;
  /** What differs from the saved state, for people. */
  remarks: string[];
}

export async function buildLayout(tmux: Tmux, layout: Layout, options: BuildOptions = {}): Promise<Built> {
  refuseImplausible(layout);
  const name = options.name ?? layout.team;
  const remarks: string[] = [];
  const startOf = paneStarts(options, remarks);
  const before = await listServer(tmux);
  refuseLinked(tmux, before.panes, name, layout);
  const found = findTmuxSession(before, name);
  const session = found ?? (await makeSession(tmux, name, layout, startOf, options));
  const listed = found === null ? (await listServer(tmux)).panes : before.panes;
  const made = new Set(found === null ? panesOf(listed, session).map(({ id }) => id) : []);
  const ids = new Map<Place, PaneId>();
  let reshaped = 0;
  for (const window of layout.windows) {
    const standing = panesOf(listed, session).filter(({ windowIndex }) => windowIndex === window.window);
    const builder = { tmux, session, window, startOf: (pane: LayoutPane) => startOf(window, pane), made };
    const { places, order } = await fillWindow(builder, standing, options);
    for (const [place, id] of places) ids.set(place, id);
    const filled = { order, was: standing[0] ?? null, isNew: order.some((id) => made.has(id)) };
    if (await shape(tmux, window, filled, options, remarks)) reshaped++;
  }
  const after = new Map((await listServer(tmux)).panes.map((pane) => [pane.id, pane]));
  const panes = savedPanes(layout).map(({ window, pane, place }) => {
    const id = ids.get(place)!;
    const address = after.get(id)?.address;
    if (address === undefined) throw new HiveError(`the pane made for ${name}:${place} ended at once`);
    return { window, pane, place, id, address, isNew: made.has(id) };
  });
  return { panes, isNewSession: found === null, reshaped, remarks };
}

function savedPanes({ windows }: Layout) {
  return windows.flatMap(({ window, panes }) =>
    panes.map(({ pane }) => ({ window, pane, place: placeOf(window, pane) })),
  );
}

function panesOf(panes: readonly TmuxPane[], session: TmuxSessionId): TmuxPane[] {
  return panes.filter(({ sessionId }) => sessionId === session).sort(byPlace);
}

function refuseImplausible({ team, windows }: Layout): void {
  const most = Math.max(0, ...windows.map(({ panes }) => panes.length));
  if (windows.length === 0 || windows.some(({ panes }) => panes.length === 0)) {
    throw new HiveError(`the layout of ${team} has a window without panes, or no window at all`);
  }
  if (windows.length > limits.layoutWindows || most > limits.layoutPanes) {
    throw new HiveError(
      `refused the layout of ${team}: ${windows.length} windows, ${most} panes in one; at most ${limits.layoutWindows} and ${limits.layoutPanes}`,
    );
  }
}

function refuseLinked(
  { server }: Tmux,
  panes: readonly TmuxPane[],
  name: TeamName,
  { windows }: Layout,
): void {
  for (const { window } of windows) {
    const isAt = (address: PaneAddress) => address.startsWith(`${name}:${window}.`);
    const linked = panes.find(({ alsoAt }) => alsoAt.some(isAt));
    if (linked === undefined) continue;
    throw new HiveError(`window ${window} of ${name} is linked from ${harmless(linked.address)}`, {
      hint: `unlink it: ${typedTmux(server, "unlink-window", "-t", `=${name}:${window}`)}`,
    });
  }
}

type StartOf = (window: LayoutWindow, pane: LayoutPane) => PaneStart;

function paneStarts({ awaits, home = homedir() }: BuildOptions, remarks: string[]): StartOf {
  return ({ window }, { pane, cwd }) => {
    const isThere = cwd !== "" && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere && cwd !== "") {
      remarks.push(`${placeOf(window, pane)}: the folder ${harmless(cwd)} is gone, so it starts in ${home}`);
    }
    const program = awaits?.(placeOf(window, pane)) ? { argv: placeholder } : {};
    return { cwd: isThere ? cwd : home, ...program };
  };
}

async function makeSession(
  tmux: Tmux,
  name: TeamName,
  layout: Layout,
  startOf: StartOf,
  { atLeast }: BuildOptions,
): Promise<TmuxSessionId> {
  const first = layout.windows[0]!;
  const saved = geometryOf(first.layout) ?? { width: limits.birthWidth, height: limits.birthHeight };
  const { sessionId } = await newSession(tmux, {
    name,
    ...(first.name === "" ? {} : { windowName: first.name }),
    windowIndex: first.window,
    width: Math.max(saved.width, atLeast?.width ?? 0),
    height: Math.max(saved.height, atLeast?.height ?? 0),
    ...startOf(first, first.panes[0]!),
  });
  return sessionId;
}

interface Builder {
  tmux: Tmux;
  session: TmuxSessionId;
  window: LayoutWindow;
  startOf(pane: LayoutPane): PaneStart;
  made: Set<PaneId>;
}

/** Every saved pane of the window gets a pane; existing ones are used first. */
async function fillWindow(
  { tmux, session, window, startOf, made }: Builder,
  standing: readonly TmuxPane[],
  { known, strangers, notesPlaces }: BuildOptions,
) {
  const order = standing.map(({ id }) => id);
  const places = matchPanes(window, order, known, strangers);
  for (const pane of window.panes) {
    const place = placeOf(window.window, pane.pane);
    if (places.has(place)) continue;
    const before = predecessor(window, pane, places, order);
    const id =
      order.length === 0
        ? await newWindow(tmux, session, {
            index: window.window,
            ...(window.name === "" ? {} : { name: window.name }),
            ...startOf(pane),
          })
        : await splitBehind(tmux, order, before, startOf(pane));
    made.add(id);
    places.set(place, id);
    order.splice(before === null ? 0 : order.indexOf(before) + 1, 0, id);
  }
  for (const pane of window.panes) {
    const place = placeOf(window.window, pane.pane);
    const id = places.get(place)!;
    if (made.has(id) && pane.title !== "") await setPaneTitle(tmux, id, pane.title);
    if (made.has(id) && notesPlaces) await noteMadeShell(tmux, id, place);
  }
  return { places, order };
}

/** The nearest pane of this window that comes before it in the layout. */
function predecessor(
  { window, panes }: LayoutWindow,
  { pane }: LayoutPane,
  places: ReadonlyMap<Place, PaneId>,
  order: readonly PaneId[],
): PaneId | null {
  const earlier = panes.filter((each) => each.pane < pane).reverse();
  const found = earlier.map((each) => places.get(placeOf(window, each.pane)));
  return found.find((id) => id !== undefined && order.includes(id)) ?? null;
}

/** tmux numbers the new pane right after the split one; to become the first of a window it is swapped. */
async function splitBehind(
  tmux: Tmux,
  order: readonly PaneId[],
  before: PaneId | null,
  start: PaneStart,
): Promise<PaneId> {
  const target = before ?? order[0]!;
  const made = await splitWithRoom(tmux, target, start);
  if (before === null) await swapPanes(tmux, made, target);
  return made;
}

async function splitWithRoom(tmux: Tmux, pane: PaneId, start: PaneStart): Promise<PaneId> {
  try {
    return await splitWindow(tmux, pane, start);
  } catch (error) {
    if (!(error instanceof TmuxError) || !error.message.includes("no space")) throw error;
    // Equal shares make room if there is any; the saved shape is applied at the end.
    await selectLayout(tmux, pane, "tiled");
    return splitWindow(tmux, pane, start);
  }
}

interface Filled {
  /** All panes of the window. */
  order: readonly PaneId[];
  /** A pane that existed before, with the window's size and shape at that time. */
  was: TmuxPane | null;
  isNew: boolean;
}

/** Returns whether the window got its saved shape. */
async function shape(
  tmux: Tmux,
  { window, layout, panes }: LayoutWindow,
  { order, was, isNew }: Filled,
  { atLeast }: BuildOptions,
  remarks: string[],
): Promise<boolean> {
  const [pane] = order;
  const geometry = geometryOf(layout);
  const isOtherSize =
    geometry !== null &&
    was !== null &&
    (was.windowWidth !== geometry.width || was.windowHeight !== geometry.height);
  const isRight = was !== null && (isOtherSize || sameGeometry(was.windowLayout, layout));
  if (pane === undefined || (!isNew && isRight)) return false;
  if (geometry?.cells.length !== panes.length || order.length !== panes.length) {
    if (!isNew) return false;
    if (layout !== "")
      remarks.push(`window ${window}: its saved shape does not fit its panes, so it is tiled`);
    if (order.length > 1) await selectLayout(tmux, pane, "tiled");
    return false;
  }
  await selectLayout(tmux, pane, layout);
  // A layout string sets its own size; an attached client may need another one, and the minimum size still applies.
  const size = isOtherSize ? { width: was!.windowWidth, height: was!.windowHeight } : geometry;
  const width = Math.max(size.width, atLeast?.width ?? 0);
  const height = Math.max(size.height, atLeast?.height ?? 0);
  if (width !== geometry.width || height !== geometry.height) await resizeWindow(tmux, pane, width, height);
  return true;
}
