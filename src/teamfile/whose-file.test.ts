import { expect, test } from "vitest";
import { type Fault, faultOf } from "./whose-file.js";

const us = { uid: 1000, gid: 1000 };
const owner = (uid: number): Fault => ({ fault: "owner", uid });
const anybody: Fault = { fault: "anybody" };
const group = (gid: number): Fault => ({ fault: "group", gid });
const [file, folder, link] = [0o100000, 0o040000, 0o120000];

test.each<[string, number, number, number, Fault | null]>([
  ["our file", 1000, 1000, file | 0o644, null],
  ["our file that only we can read", 1000, 1000, file | 0o600, null],
  ["root's file", 0, 0, file | 0o644, null],
  ["another user's file", 1001, 1000, file | 0o644, owner(1001)],
  ["a file of the user nobody", 65_534, 65_534, file | 0o600, owner(65_534)],
  ["our file that everyone can write", 1000, 1000, file | 0o666, anybody],
  ["our folder", 1000, 1000, folder | 0o755, null],
  ["our folder that everyone can write", 1000, 1000, folder | 0o777, anybody],
  ["our folder that everyone can write, sticky", 1000, 1000, folder | 0o1777, anybody],
  ["a folder like /tmp", 0, 0, folder | 0o1777, anybody],
  ["root's folder", 0, 0, folder | 0o755, null],
  ["another user's folder", 1001, 1001, folder | 0o755, owner(1001)],
  ["our link", 1000, 1000, link | 0o777, null],
  ["another user's link", 1001, 1001, link | 0o777, owner(1001)],
])("%s", (_, uid, gid, mode, fault) => expect(faultOf({ uid, gid, mode }, us)).toEqual(fault));

test.each<[string, number, number, number, Fault | null]>([
  ["our file of a group that we share", 1000, 50, file | 0o644, null],
  ["our file that our own group can write", 1000, 1000, file | 0o664, null],
  ["our file that another group can write", 1000, 50, file | 0o664, group(50)],
  ["root's file that our group can write", 0, 1000, file | 0o664, null],
  ["root's file that root's group can write", 0, 0, file | 0o664, null],
  ["our folder that our own group can write", 1000, 1000, folder | 0o775, null],
  ["our folder with another group's set-gid bit", 1000, 50, folder | 0o2775, group(50)],
])("%s", (_, uid, gid, mode, fault) => expect(faultOf({ uid, gid, mode }, us)).toEqual(fault));

test("for root a user's file is another user's", () => {
  const root = { uid: 0, gid: 0 };
  expect(faultOf({ uid: 1000, gid: 1000, mode: file | 0o644 }, root)).toEqual(owner(1000));
  expect(faultOf({ uid: 0, gid: 0, mode: file | 0o644 }, root)).toBeNull();
});
