// Every limit in the program, with its unit in its name and its reason beside it. The parts are in limits/.

import { faceLimits } from "./limits/faces.js";
import { fleetLimits } from "./limits/fleet.js";
import { leaseLimits } from "./limits/lease.js";
import { linkLimits } from "./limits/link.js";
import { mailLimits } from "./limits/mail.js";
import { natsLimits } from "./limits/nats.js";
import { outsideLimits } from "./limits/outside.js";
import { teamLimits } from "./limits/teams.js";
import { webLimits } from "./limits/web.js";

export const limits = {
  // Makes V8 keep a table of names. A chain of shapes for hundreds of names would take milliseconds in every command.
  __proto__: null,
  ...outsideLimits,
  ...fleetLimits,
  ...leaseLimits,
  ...linkLimits,
  ...mailLimits,
  ...natsLimits,
  ...teamLimits,
  ...faceLimits,
  ...webLimits,
} as const;
