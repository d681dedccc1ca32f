/** A server message with ids replaced by labels. */

import { useContext } from 'react';
import { inBrief, looksLikeReference, piecesByIds } from '../model/facts/labels.js';
import { KnownLabels, ReferenceLabel, useLabels } from './reference-label.js';

/** Truncates messages: a check may include a text of a megabyte. */
const SHOWN_MAX = 4_000;

export function NamedText({ text }: { text: string }) {
  const shown = inBrief(text, SHOWN_MAX);
  const pieces = piecesByIds(shown);
  return pieces.length === 1 ? shown : <Named pieces={pieces} />;
}

/** Separate component, so that labels load only if needed. */
function Named({ pieces }: { pieces: readonly string[] }) {
  const labels = useLabels();
  const given = useContext(KnownLabels);
  // Deleted individuals are not looked up.
  const isKnown = (id: string): boolean => given.has(id) || labels.get(id) !== undefined;
  return pieces.map((piece, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: words have no identity but their place.
    looksLikeReference(piece) && isKnown(piece) ? <ReferenceLabel key={place} value={piece} reference /> : piece,
  );
}
