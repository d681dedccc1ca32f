/** A line of text with a copy button. */

import { Button, CopyButton } from '@mantine/core';
import styles from './copy-line.module.css';

export function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.copyLine}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <section className={styles.copyText} tabIndex={0} aria-label={label}>
        <pre className="mono">{text}</pre>
      </section>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
            <span className="visually-hidden"> {label}</span>
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
