// The part of a session id that people read and type. Pure, and loaded by the page too.
//
// The first digits of a UUID tell it from others. In a UUID of version 7 they are the time: ids of one minute share
// them, so twelve digits are shown. Other ids are not cut: their beginning identifies nothing.

export function shortId(id: string): string {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  return id.slice(0, id[14] === "7" ? 13 : 8);
}
