// The pages #/sessions, every conversation in a list, and #/sessions/<id>, one of them.

import type { Place } from "../routes.js";
import { SessionList } from "./session-list.js";
import { SessionPage } from "./session-page.js";
import "./sessions.css";

export function SessionsPage({ place }: { place: Place }) {
  return place.ref === undefined ? <SessionList /> : <SessionPage session={place.ref} />;
}
