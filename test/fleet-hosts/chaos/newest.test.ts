// Whatever happens to a fleet, on the newest server that Debian has.

import { newestServer } from "../newest-server.js";
import { chaosSuite } from "./suite.js";

chaosSuite(newestServer, 1_001);
