// Whatever happens to a fleet, on the server that the system has.

import { shortLeases } from "../leases.js";
import { systemServer } from "../servers.js";
import { chaosSuite } from "./suite.js";

shortLeases();
chaosSuite(async () => systemServer(), 1);
