/** Changes drafts and offers an undo, which keeps what is typed in the meantime. */

import { offerUndo } from '../../../domain/fork/closed-notice.js';
import { type Draft, drafts, withChangeUndone } from '../../../workspace/drafts.js';

/** `words` is the text of the undo notice. */
export function changeDrafts(
  change: (current: Readonly<Record<string, Draft>>) => Record<string, Draft>,
  words: string,
): void {
  const before = drafts.get();
  const after = change(before);
  drafts.set(after);
  offerUndo(words, async () => {
    const now = drafts.get();
    const { drafts: back, overwritten: lost } = withChangeUndone(now, { before, after });
    drafts.set(back);
    const files = Object.keys(lost);
    if (files.length === 0) return;
    offerUndo(`Later text in ${files.join(', ')} discarded.`, async () =>
      drafts.update((current) => withChangeUndone(current, { before: now, after: back }).drafts),
    );
  });
}
