/** CodeMirror in the workbench's type and colours. */

import { EditorView } from '@codemirror/view';

export const editorTheme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 16px 0 8px' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--text-faint)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 16px', minWidth: '40px' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warning-soft)', outline: '1px solid var(--warning)' },
  '.cm-panels': { backgroundColor: 'var(--surface-sunken)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels input, .cm-panels button': { fontFamily: 'var(--font)', fontSize: '13px' },
  '.cm-textfield': { backgroundColor: 'var(--surface)', border: '1px solid var(--line-strong)', color: 'var(--text)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--hover)', border: '1px solid var(--line-strong)' },
  '.cm-gutter-lint': { width: '14px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '14px', height: '20px', padding: '4px 1px' },
  '.cm-lint-marker-error': { content: 'none', position: 'relative' },
  '.cm-lint-marker-warning': { content: 'none', position: 'relative' },
  '.cm-lint-marker::before': { content: '""', display: 'block', width: '11px', height: '11px' },
  '.cm-lint-marker-error::before': {
    backgroundColor: 'var(--blocking)',
    clipPath: 'polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%)',
  },
  '.cm-lint-marker-warning::before': {
    backgroundColor: 'var(--warning)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--blocking) 1px', textUnderlineOffset: '4px' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warning) 1px', textUnderlineOffset: '4px' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface-raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    boxShadow: 'var(--shadow)',
    maxWidth: '520px',
  },
  '.cm-diagnostic': { padding: '8px 12px', fontFamily: 'var(--font)', fontSize: '13px', borderLeft: 'none' },
  '.cm-diagnostic + .cm-diagnostic': { borderTop: '1px solid var(--line)' },
  '.finding': { display: 'block', lineHeight: '20px' },
  '.finding-hint, .finding-note, .finding-code': { display: 'block', color: 'var(--text-dim)' },
  '.finding-code': { fontFamily: 'var(--mono)', fontSize: '12px' },
});
