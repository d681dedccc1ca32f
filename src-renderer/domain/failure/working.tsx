/** What a pane shows while an answer is being worked out: that it is, for how long, and a way to stop it; then a way to ask again. */

import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { LoadingRows } from './states.js';

interface WorkingProps {
  /** What is done: `Looking for a proof`. */
  readonly what: string;
  readonly stopped: boolean;
  readonly onStop: () => void;
  readonly onAskAgain: () => void;
}

export function Working({ what, stopped, onStop, onAskAgain }: WorkingProps) {
  const seconds = useSeconds(!stopped);
  if (stopped) {
    return (
      <p className="pane-padded" role="status">
        Stopped before there was an answer.{' '}
        <Button variant="default" size="compact-xs" onClick={onAskAgain}>
          Ask again
        </Button>
      </p>
    );
  }
  return (
    <>
      {seconds > 0 && (
        <p className="pane-padded">
          <span role="status">{what}…</span> <span className="dim numeric">{seconds} s</span>{' '}
          <Button variant="default" size="compact-xs" onClick={onStop}>
            Stop
          </Button>
        </p>
      )}
      <LoadingRows rows={8} />
    </>
  );
}

/** How many whole seconds it has been going. */
function useSeconds(going: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!going) return;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, [going]);
  return seconds;
}
