/** A line of text with a copy button. */

import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import styles from './copy-line.module.css';

interface CopyLineProps {
  readonly label: string;
  readonly text: string;
  /** Copies the text in another way. */
  readonly onCopy?: ((text: string) => Promise<void>) | undefined;
}

const SHOWN_MS = 1_000;

export function CopyLine({ label, text, onCopy }: CopyLineProps) {
  const clipboard = useClipboard({ timeout: SHOWN_MS });
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (onCopy === undefined) return clipboard.copy(text);
    await onCopy(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <div className={styles.copyLine}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section className={styles.copyText} tabIndex={0} aria-label={label}>
        <pre className="mono">{text}</pre>
      </section>
      <Button variant="default" onClick={() => void copy()}>
        {clipboard.copied || isCopied ? 'Copied' : 'Copy'}
        <span className="visually-hidden"> {label}</span>
      </Button>
    </div>
  );
}
