// Whatever happens to a fleet, on the server that the system has.

import { systemServer } from "../servers.js";
import { chaosSuite } from "./suite.js";

chaosSuite(async () => systemServer(), 1);
