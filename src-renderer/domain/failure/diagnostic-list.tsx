/** Compiler diagnostics as links to their place in the source. */

import { clsx } from 'clsx';
import { Link } from 'react-router';
import type { Span } from '../../../src-runtime/base/span.js';
import { moduleLocation } from '../../model/facts/locations.js';
import { Glyph } from '../../ui/glyph.js';
import styles from './diagnostic-list.module.css';

/** A diagnostic of the compiler in the page or on the server. */
interface ShownDiagnostic {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly span: Span;
  readonly hint?: string | undefined;
}

export function DiagnosticList({ diagnostics }: { diagnostics: readonly ShownDiagnostic[] }) {
  return (
    <ul className={styles.diagnosticList}>
      {diagnostics.map((diagnostic) => (
        <li key={`${diagnostic.code} ${diagnostic.span.file} ${diagnostic.span.start.offset} ${diagnostic.message}`}>
          <Link className={clsx('row', styles.diagnostic)} data-opens="previous" to={moduleLocation(diagnostic.span)}>
            <Glyph kind={diagnostic.severity === 'error' ? 'blocking' : 'warning'} label={diagnostic.severity} />
            <span className={styles.diagnosticText}>
              {diagnostic.message}
              {diagnostic.hint !== undefined && <span className="dim"> · {diagnostic.hint}</span>}
            </span>
            <span className="mono dim diagnostic-code">{diagnostic.code}</span>
            <span className="mono dim diagnostic-place">
              {diagnostic.span.file}:{diagnostic.span.start.line}:{diagnostic.span.start.column}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
