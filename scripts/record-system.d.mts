export const commands: {
  table(): string[];
  folder(pid: number): string[];
  input(pid: number): string[];
  unixSockets(pid: number): string[];
  listening(pid: number): string[];
};
