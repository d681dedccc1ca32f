/** A JSON value as highlighted text in a scrolling box. */

import { clsx } from 'clsx';
import { useState } from 'react';
import styles from './json-view.module.css';
import { LongText } from './long-text.js';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

interface JsonViewProps {
  readonly value: unknown;
  /** Accessible name of the region. */
  readonly label?: string;
}

export function JsonView({ value, label = 'JSON' }: JsonViewProps) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
    <section tabIndex={0} aria-label={label}>
      <pre className={clsx(styles.json, 'mono')}>
        <LongText first={SHOWN_FIRST} draw={colour} fileName="answer.json">
          {text}
        </LongText>
      </pre>
    </section>
  );
}

interface EnvelopeProps {
  readonly envelope: object;
  readonly className?: string | undefined;
}

/** A response as the server sent it, rendered only when opened. */
export function Envelope({ envelope, className }: EnvelopeProps) {
  const [opened, setOpened] = useState(false);
  return (
    <details className={className} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>Envelope</summary>
      {opened && <JsonView value={envelope} />}
    </details>
  );
}

const SHOWN_FIRST = 20_000;

/** Longer text is not highlighted: a hundred thousand spans would freeze the page. */
const COLOURED_MAX = 60_000;

function colour(text: string) {
  if (text.length > COLOURED_MAX) return text;
  const parts = [];
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    parts.push(text.slice(last, match.index));
    const kind = match[1] === undefined ? 'json-number' : match[2] === undefined ? 'json-text' : 'json-key';
    parts.push(
      <span key={match.index} className={kind}>
        {match[1] ?? match[0]}
      </span>,
    );
    last = match.index + (match[1] ?? match[0]).length;
  }
  parts.push(text.slice(last));
  return parts;
}
