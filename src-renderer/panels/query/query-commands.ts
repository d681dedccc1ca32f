/** Keys of the editor of an ad-hoc text that the module's editor has too: format, and go to where a name is declared. */

import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { formatEditsOf } from './query-language.js';

/** As one step that can be undone. What was typed meanwhile is formatted too. */
export async function formatText(view: EditorView): Promise<void> {
  const { doc } = view.state;
  const edits = await formatEditsOf(doc.toString());
  if (edits.length === 0 || !view.dom.isConnected) return;
  if (view.state.doc !== doc) {
    await formatText(view);
    return;
  }
  const changes = edits.map(({ span, text }) => ({ from: span.start.offset, to: span.end.offset, insert: text }));
  view.dispatch({ changes, userEvent: 'input.format' });
}

/** `follow` goes to the declaration of the name at an offset of the text. */
export function textCommands(follow: (text: string, offset: number) => void): Extension {
  const followIn = ({ state }: EditorView, offset: number): void => follow(state.doc.toString(), offset);
  const format = (view: EditorView): boolean => {
    void formatText(view);
    return true;
  };
  const goToDeclaration = (view: EditorView): boolean => {
    followIn(view, view.state.selection.main.head);
    return true;
  };
  return [
    Prec.high(
      keymap.of([
        { key: 'F12', run: goToDeclaration, preventDefault: true },
        { key: 'Shift-Alt-f', run: format, preventDefault: true },
      ]),
    ),
    EditorView.domEventHandlers({
      mousedown: (event, view) => {
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (offset === null) return false;
        followIn(view, offset);
        event.preventDefault();
        return true;
      },
    }),
  ];
}
