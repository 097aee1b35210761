// Starts the page.

import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/contents.css";
import "./styles/shell.css";
import "./styles/pages.css";
import { render } from "preact";
import { loginFromAddress } from "./server/login.js";
import { App } from "./shell/app.js";
import { badgeTheTab } from "./shell/favicon-badge.js";
import { listenToKeys } from "./shell/keys.js";
import { notifyOfWaiting } from "./shell/notify.js";
import { registerWorker } from "./shell/register-worker.js";

await loginFromAddress();
// A new link that is opened in this tab changes only the fragment.
addEventListener("hashchange", () => void loginFromAddress());
render(<App />, document.getElementById("page")!);
badgeTheTab();
listenToKeys();
notifyOfWaiting();
registerWorker();
