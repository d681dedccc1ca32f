/** All references to a name, in all files, with the line of each. */

import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { Span } from '../../../src-runtime/base/span.js';
import type { Reference } from '../../../src-runtime/language/service/index.js';
import type { SourceFile } from '../../server-state/api.js';
import { stretchesOf } from '../../ui/highlighted.js';
import { Pane } from '../../ui/panes/panes.js';
import styles from './module.module.css';

export interface ReferenceList {
  readonly name: string;
  readonly references: readonly Reference[];
}

interface ReferencesProps {
  readonly list: ReferenceList;
  readonly files: readonly SourceFile[];
  readonly onOpen: (span: Span) => void;
  readonly onClose: () => void;
}

export function References({ list, files, onOpen, onClose }: ReferencesProps) {
  const first = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new list takes the focus.
  useEffect(() => first.current?.focus(), [list]);
  const lines = new Map(files.map(({ file, text }) => [file, text.split('\n')]));
  return (
    <Pane
      title="References"
      actions={
        <ActionIcon aria-label="Close references" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      <p className={clsx('dim', styles.referencesWords)}>
        <code className="mono">{list.name}</code> occurs in {list.references.length}{' '}
        {list.references.length === 1 ? 'place' : 'places'}.
      </p>
      <ul onKeyDown={(event) => onListKeyDown(event, onClose)}>
        {list.references.map(({ span, isDeclaration }, index) => (
          <li key={`${span.file} ${span.start.offset}`}>
            <button
              ref={index === 0 ? first : undefined}
              type="button"
              className={clsx('plain', 'row', styles.referenceRow)}
              onClick={() => onOpen(span)}
            >
              <span className={clsx(styles.referencePlace, 'numeric')}>
                {span.file}:{span.start.line}
              </span>
              <code className={clsx('mono', styles.referenceLine)}>
                <Line text={lines.get(span.file)?.[span.start.line - 1] ?? ''} span={span} />
              </code>
              {isDeclaration && <span className={clsx('dim', styles.referenceKind)}>declaration</span>}
            </button>
          </li>
        ))}
      </ul>
    </Pane>
  );
}

/** The line with syntax colours, without its indentation, with the name marked. */
function Line({ text, span }: { readonly text: string; readonly span: Span }) {
  let at = 0;
  const indent = text.length - text.trimStart().length;
  return stretchesOf(text).map(({ text: part, kind }) => {
    const start = at;
    at += part.length;
    if (at <= indent) return null;
    const isName = start < span.end.column - 1 && at > span.start.column - 1;
    return (
      <span key={start} className={clsx(kind === null ? '' : `syntax-${kind}`, isName ? styles.referenceName : '')}>
        {part}
      </span>
    );
  });
}

function onListKeyDown(event: React.KeyboardEvent<HTMLElement>, onClose: () => void): void {
  if (event.key === 'Escape') onClose();
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...event.currentTarget.querySelectorAll('button')];
  const at = rows.indexOf(document.activeElement as HTMLButtonElement);
  rows[Math.max(0, Math.min(rows.length - 1, at + step))]?.focus();
}
