// What a person sees without a token: how to get one.

import { useSignal } from "@preact/signals";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/command-line.js";
import { Icon } from "../parts/icon.js";
import { FailureNotice } from "../parts/notice.js";
import { login, loginFailure, secretOfLink } from "../server/login.js";

export function LoginPage() {
  const failure = loginFailure.value;
  return (
    <main class="login">
      <div class="card login-card">
        <svg class="hexagon" viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 3.5l10.8 6.25v12.5L16 28.5 5.2 22.25V9.75z" />
          <circle cx="16" cy="16" r="4" />
        </svg>
        <h1>Open hivemind with a fresh link</h1>
        {failure !== null && <FailureNotice failure={failure} />}
        <p class="soft">
          Each link opens the page once, in one browser tab. Type this where the server runs, and open the
          address that it prints:
        </p>
        <CommandLine text="hivemind serve link" />
        <PasteForm />
        <p class="faint login-note">
          <Icon name="eye" />
          The tab keeps its access until you close it or the server ends.
        </p>
      </div>
    </main>
  );
}

/** An installed app has no address bar. */
function PasteForm() {
  const typed = useSignal("");
  const secret = secretOfLink(typed.value);
  return (
    <form
      class="login-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (secret !== null) void login(secret);
      }}
    >
      <label class="login-label">
        Or paste the address here
        <input
          class="field"
          type="text"
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <Button kind="main" type="submit" disabled={secret === null}>
        Open
      </Button>
    </form>
  );
}
