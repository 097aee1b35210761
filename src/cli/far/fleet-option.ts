// The option of every read that can ask the whole fleet.

import type { Option } from "../command.js";

export const fleetOption: Option = { name: "fleet", about: "of every host of the fleet, with its age" };
