// How the client's own server is closed to everybody else. The password is never an argument.

export const passwordVariable = "OPENCODE_SERVER_PASSWORD";
/** The client's default. */
export const user = "opencode";
