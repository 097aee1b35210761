// The page: its frame, and the view that the address names.

import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { followFleet } from "../fleet/live.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import type { Place, Route } from "../routes.js";
import { token } from "../server/api.js";
import { failureOf } from "../server/use-loaded.js";
import { ConnectionBar } from "./connection-bar.js";
import { KeysDialog } from "./keys-dialog.js";
import { LoginPage } from "./login-page.js";
import { found } from "./navigate.js";
import { BottomBar, Navigation } from "./navigation.js";
import { Outcomes } from "./outcomes.js";

type View = ComponentType<{ place: Place }>;
const loaded = new Map<Route["load"], View>();
const shown = signal<{ View: View; address: string; place: Place } | null>(null);
const failure = signal<{ message: string; hint: string | null } | null>(null);

/** The view before stays until the next one has loaded. */
effect(() => {
  const wanted = found.value;
  failure.value = null;
  if (wanted === null) return;
  const { route, place } = wanted;
  const address = `${route.pattern} ${JSON.stringify(place)}`;
  const known = loaded.get(route.load);
  if (known !== undefined) {
    shown.value = { View: known, address, place };
    return;
  }
  route.load().then(
    (View) => {
      loaded.set(route.load, View);
      if (found.peek() === wanted) shown.value = { View, address, place };
    },
    (error: unknown) => {
      if (found.peek() === wanted) failure.value = failureOf(error);
    },
  );
});

export function App() {
  if (token.value === null) return <LoginPage />;
  return <Frame />;
}

function Frame() {
  useEffect(followFleet, []);
  return (
    <>
      <button type="button" class="skip-link" onClick={toMain}>
        Skip to the contents
      </button>
      <Navigation />
      <div class="content">
        <ConnectionBar />
        <main id="main" tabIndex={-1}>
          <Shown />
        </main>
      </div>
      <BottomBar />
      <Outcomes />
      <KeysDialog />
    </>
  );
}

function Shown() {
  if (found.value === null) {
    return (
      <Page title="Not here">
        <EmptyState icon="search" title="This address names no view.">
          <a href="#/">To the board</a>
        </EmptyState>
      </Page>
    );
  }
  if (failure.value !== null)
    return <FailureNotice failure={failure.value} retry={() => location.reload()} />;
  if (shown.value === null) return <Loading what="the page" />;
  const { View, address, place } = shown.value;
  return <View key={address} place={place} />;
}

/** A button: the fragment of a link would be a route. */
function toMain(): void {
  document.getElementById("main")?.focus();
}
