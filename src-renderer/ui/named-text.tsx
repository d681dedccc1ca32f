/** What the server says in words: the individuals in it by their names where those are known, their ids on hover. */

import { useContext } from 'react';
import { inBrief, looksLikeReference, piecesByIds } from '../model/facts/labels.js';
import { KnownLabels, ReferenceLabel, useLabels } from './reference-label.js';

/** Of a message. A check may put a text of a megabyte into its own. */
const SHOWN_MAX = 4_000;

export function NamedText({ text }: { text: string }) {
  const shown = inBrief(text, SHOWN_MAX);
  const pieces = piecesByIds(shown);
  return pieces.length === 1 ? shown : <Named pieces={pieces} />;
}

/** By itself, so that labels are asked for only where there is something to call by them. */
function Named({ pieces }: { pieces: readonly string[] }) {
  const labels = useLabels();
  const given = useContext(KnownLabels);
  // What is told to be gone is not asked for.
  const isKnown = (id: string): boolean => given.has(id) || labels.get(id) !== undefined;
  return pieces.map((piece, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
    looksLikeReference(piece) && isKnown(piece) ? <ReferenceLabel key={place} value={piece} reference /> : piece,
  );
}
