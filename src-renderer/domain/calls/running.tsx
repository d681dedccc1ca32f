/** A call that is under way: that it is, and for how long once somebody may begin to wonder. */

import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';

const WONDER_AFTER_SECONDS = 2;

export function Running({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.floor((now - since) / 1_000);
  return (
    <div className="outcome-running" role="status">
      <Loader size="xs" /> Running
      {seconds >= WONDER_AFTER_SECONDS && (
        // It would be read aloud every second.
        <span className="dim numeric" aria-hidden>
          {seconds} s
        </span>
      )}
    </div>
  );
}
