/** The list of error codes with status, cause and advice. */

import { CloseButton } from '@mantine/core';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { ERROR_WORDS } from '../../../src-runtime/api/error-words.js';
import { ERROR_CODES, ERROR_REGISTRY, type ErrorCode } from '../../../src-runtime/api/errors.js';
import { logLocation } from '../../model/facts/locations.js';
import { useStoredText } from '../../state/stored-text.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane } from '../../ui/panes/panes.js';
import styles from './log.module.css';

/** `code` is the code to show; empty for none. */
export function CodesPane({ code }: { code: string }) {
  const [filter, setFilter] = useStoredText('filter of the error codes');
  const navigate = useNavigate();
  // A linked code is shown in spite of the filter.
  const shown = ERROR_CODES.filter((each) => each === code || fits(each, filter.trim().toLowerCase()));
  return (
    <Pane
      title="Error codes"
      actions={<CloseButton aria-label="Close error codes" onClick={() => void navigate(logLocation())} />}
    >
      <ListFilter label="Filter codes" value={filter} onChange={setFilter} />
      <p className={clsx('pane-padded', 'dim', styles.codesIntro)}>
        Clients can rely on the code. Each code has one status: 4xx for errors in the request, 5xx for errors of the
        server, its artifact or its storage.
      </p>
      <dl className="codes">
        {shown.map((each) => (
          <CodeRow key={each} code={each} meant={each === code} />
        ))}
      </dl>
      {shown.length === 0 && <p className="pane-padded dim">No matches</p>}
    </Pane>
  );
}

function CodeRow({ code, meant }: { code: ErrorCode; meant: boolean }) {
  const element = useRef<HTMLElement>(null);
  const { status } = ERROR_REGISTRY[code];
  const { cause, advice } = ERROR_WORDS[code];
  useEffect(() => {
    if (meant) element.current?.scrollIntoView({ block: 'center' });
  }, [meant]);
  return (
    <div className={styles.codeRow} data-meant={meant}>
      <dt ref={element}>
        <span className={clsx('mono', styles.codeName)}>{code}</span>
        <span className="numeric dim">{status}</span>
      </dt>
      <dd>{cause}</dd>
      <dd className="dim">{advice}</dd>
    </div>
  );
}

function fits(code: ErrorCode, part: string): boolean {
  const { condition, remedy } = ERROR_REGISTRY[code];
  const { cause, advice } = ERROR_WORDS[code];
  return [code, condition, remedy, cause, advice].some((text) => text.toLowerCase().includes(part));
}
