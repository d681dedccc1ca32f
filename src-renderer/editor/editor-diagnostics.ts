/** Compiler findings in the editor: squiggle, gutter marks, and message, hint and code on hover. */

import { forEachDiagnostic, type Diagnostic as LintDiagnostic } from '@codemirror/lint';
import { type EditorState, type Extension, RangeSet } from '@codemirror/state';
import { type EditorView, GutterMarker, gutter, keymap } from '@codemirror/view';
import type { Diagnostic } from '../../src-runtime/base/diagnostic.js';
import type { QuickFix, TextEdit } from '../../src-runtime/language/service/index.js';
import { element, icon } from './editor-elements.js';

/**
 * The findings of `file` with their fixes. Positions are clipped, because the text may be shorter than when it was
 * compiled.
 */
export function lintDiagnostics(
  diagnostics: readonly Diagnostic[],
  file: string,
  length: number,
  fixes: readonly QuickFix[],
  applyFix: (view: EditorView, edits: readonly TextEdit[]) => void,
): LintDiagnostic[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.span.file === file)
    .map((diagnostic) => {
      const from = Math.min(diagnostic.span.start.offset, length);
      return {
        from,
        to: Math.max(from, Math.min(diagnostic.span.end.offset, length)),
        severity: diagnostic.severity,
        message: [diagnostic.message, diagnostic.hint].filter((line) => line !== undefined).join(' '),
        renderMessage: () => finding(diagnostic),
        actions: fixes
          .filter((fix) => isSame(fix.diagnostic, diagnostic))
          .map((fix) => ({ name: fix.title, markClass: FIX, apply: (view) => applyFix(view, fix.edits) })),
      };
    });
}

/** Compares by value, because both were copied from the worker. */
function isSame(left: Diagnostic, right: Diagnostic): boolean {
  return (
    left.code === right.code && left.span.start.offset === right.span.start.offset && left.message === right.message
  );
}

/** Marks actions that are fixes. */
const FIX = 'finding-fix';

/** Opens the menu of fixes for the line at an offset. */
export type OpenFixes = (view: EditorView, offset: number) => void;

/** A light bulb on each line with fixes. It and the key open their menu. */
export function fixBulbs(openFixes: OpenFixes): Extension {
  return [
    gutter({
      class: 'cm-fix-gutter',
      markers: ({ state }) => RangeSet.of(startsOfFixable(state).map((start) => BULB.range(start))),
      domEventHandlers: {
        // The menu takes the keyboard.
        mousedown(_view, _line, event) {
          event.preventDefault();
          return true;
        },
        click(view, line) {
          if (!startsOfFixable(view.state).includes(line.from)) return false;
          view.focus();
          openFixes(view, line.from);
          return true;
        },
      },
    }),
    keymap.of([
      {
        key: 'Mod-.',
        run: (view) => {
          openFixes(view, view.state.selection.main.head);
          return true;
        },
        preventDefault: true,
      },
    ]),
  ];
}

function startsOfFixable(state: EditorState): number[] {
  const starts = new Set<number>();
  forEachDiagnostic(state, ({ actions = [] }, from) => {
    if (actions.some(({ markClass }) => markClass === FIX)) starts.add(state.doc.lineAt(from).from);
  });
  return [...starts].sort((a, b) => a - b);
}

class Bulb extends GutterMarker {
  override toDOM(): HTMLElement {
    // Not in the tab order, because the keyboard has a command for it.
    const properties = {
      type: 'button',
      className: 'fix-bulb',
      tabIndex: -1,
      title: 'Fixes for this line (Ctrl+.)',
    } as const;
    return element('button', properties, [icon('bulb')]);
  }
}

const BULB = new Bulb();

function finding(diagnostic: Diagnostic): HTMLElement {
  const element = line('finding', diagnostic.message);
  if (diagnostic.hint !== undefined) element.append(line('finding-hint', diagnostic.hint));
  for (const note of diagnostic.notes ?? []) {
    element.append(line('finding-note', `${note.message} (line ${note.span.start.line})`));
  }
  element.append(line('finding-code', `${diagnostic.severity} ${diagnostic.code}`));
  return element;
}

function line(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
