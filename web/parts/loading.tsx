// A view that is still loading. It says so only after a moment: most answers come sooner.

export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what}…
    </p>
  );
}
