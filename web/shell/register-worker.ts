// The service worker that makes the page installable. It keeps the page's own files, never an answer of the server.

/** Browsers with trusted types want the address of a worker from a policy. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

export function registerWorker(): void {
  // Only a page on https or loopback has it.
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy("hivemind-worker", { createScriptURL: () => "/sw.js" });
  serviceWorker.register(policy?.createScriptURL("") ?? "/sw.js").catch(() => undefined);
}
