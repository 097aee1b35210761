// Foreign text as it is, with marks where a character could hide something.

import { piecesOf } from "./marks.js";

export function Marked({ text }: { text: string }) {
  const pieces = piecesOf(text);
  if (pieces.length === 1 && pieces[0]!.mark === null) return <>{text}</>;
  return (
    <>
      {pieces.map(({ text: piece, mark }) =>
        mark === null ? (
          piece
        ) : (
          <span class="hidden-mark" title={`${mark} (${piece})`}>
            <span class="unseen">{mark}: </span>
            {piece}
          </span>
        ),
      )}
    </>
  );
}
