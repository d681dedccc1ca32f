/** Changes drafts and offers an undo, which keeps what is typed in the meantime. */

import { offerUndo } from '../../../domain/fork/closed-notice.js';
import { type Draft, drafts, withChangeUndone } from '../../../workspace/drafts.js';

/** `message` is the text of the undo notice. */
export function changeDraftsWithUndo(
  change: (current: Readonly<Record<string, Draft>>) => Record<string, Draft>,
  message: string,
): void {
  const before = drafts.get();
  const after = change(before);
  drafts.set(after);
  offerUndo(message, async () => {
    const now = drafts.get();
    const { drafts: restored, overwritten } = withChangeUndone(now, { before, after });
    drafts.set(restored);
    const files = Object.keys(overwritten);
    if (files.length === 0) return;
    offerUndo(`Later text in ${files.join(', ')} discarded.`, async () =>
      drafts.update((current) => withChangeUndone(current, { before: now, after: restored }).drafts),
    );
  });
}
