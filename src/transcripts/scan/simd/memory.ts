// AssemblyScript. The memory that these functions share with JavaScript. Positions that cross the border count from
// the beginning of the block, as they do in a Buffer; inside they are addresses.

/** What a byte means outside of strings, one entry per byte: a copy of the table in ../walk.ts. */
export const rolesAt: usize = 0x1000;
/** Here JavaScript keeps marks, keys and tables of members. */
export const keptAt: usize = 0x2000;
/** The block of transcript bytes. A read of 16 bytes may begin at its last byte. */
export const blockAt: usize = 0x10000;
