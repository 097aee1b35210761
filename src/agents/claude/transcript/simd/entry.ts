// AssemblyScript. The functions that JavaScript calls; transcripts/scan/simd-block.ts loads them.

export { blockAt, keptAt, rolesAt } from "../../../../transcripts/scan/simd/memory";
export { find, memberStart } from "../../../../transcripts/scan/simd/outline";
export { walk } from "../../../../transcripts/scan/simd/walk";
export { message, openMessages } from "./message";
