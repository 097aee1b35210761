// The fingerprint of a workspace: FNV-1a 64 over the UTF-8 bytes of its path, 16 lower-case hex digits.

/** The folder name of a workspace's managed store. */
export type Fingerprint = string & { readonly brand: "Fingerprint" };

const offsetBasis = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;
const mask = 0xffffffffffffffffn;

/** Of the path as given. `openWorkspace` makes it canonical first. */
export function fingerprint(path: string): Fingerprint {
  let hash = offsetBasis;
  for (const byte of Buffer.from(path, "utf8")) {
    hash = ((hash ^ BigInt(byte)) * prime) & mask;
  }
  return hash.toString(16).padStart(16, "0") as Fingerprint;
}
