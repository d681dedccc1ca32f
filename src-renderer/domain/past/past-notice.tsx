/** Says that the page reads the past, with the way back to now. Keeps the moment in the address, so that a link shows the same. */

import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { currentFork, currentMoment, momentIn, timelineOpen } from '../../model/calls/place.js';
import { causeWords } from '../../model/facts/cause-words.js';
import { MOMENT_PARAMETER, sinceLocation } from '../../model/facts/locations.js';
import { timeText } from '../../model/text/time-text.js';
import { useForkNames } from '../../server-state/forks.js';
import { useStore } from '../../state/store.js';
import { focusMainPartIfLost } from '../../ui/lost-focus.js';
import styles from './past-notice.module.css';
import { momentWords, useLastTransaction } from './use-moments.js';

export function PastNotice() {
  useMomentInAddress();
  const moment = useStore(currentMoment);
  return moment === undefined ? null : <Notice moment={moment} />;
}

function Notice({ moment }: { moment: number }) {
  const fork = useStore(currentFork);
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <section className={clsx('notice', 'notice-line', styles.past)} aria-label="Past" data-frame>
      <IconHistory size={16} stroke={1.6} aria-hidden />
      <div className="notice-body" role="status">
        <MomentSentence moment={moment} />
      </div>
      <Button variant="default" size="compact-xs" onClick={() => timelineOpen.set(true)}>
        Other moment…
      </Button>
      <Button component={Link} variant="default" size="compact-xs" to={sinceLocation(fork, moment)}>
        Changes since
      </Button>
      <Button variant="filled" size="compact-xs" onClick={() => currentMoment.set(undefined)}>
        Back to now
      </Button>
    </section>
  );
}

function MomentSentence({ moment }: { moment: number }) {
  const { data, error } = useLastTransaction(moment);
  const nameOf = useForkNames();
  if (error !== null) return <>This moment cannot be read. {error.message}</>;
  const { words, fork = undefined } = data ? causeWords(data.cause) : { words: '' };
  return (
    <>
      Reading the past: <strong>{data ? `after ${momentWords(data.txn)}` : 'before the first transaction'}</strong>
      {data &&
        ` (${words}${fork === undefined ? '' : ` ${nameOf(fork)}`}, ${data.principal === null ? '' : `${data.principal}, `}${timeText(data.at)})`}
      . Read-only.
    </>
  );
}

/** A followed link sets the moment, `now` too. Otherwise the address follows it, also over links without one. */
function useMomentInAddress(): void {
  const [search, setSearch] = useSearchParams();
  const moment = useStore(currentMoment);
  const text = search.get(MOMENT_PARAMETER);
  const seen = useRef<string | null>(null);
  useEffect(() => {
    const isFollowed = text !== null && text !== seen.current;
    seen.current = text;
    if (isFollowed) currentMoment.set(momentIn(text));
    const now = isFollowed ? momentIn(text) : moment;
    if (text === (now === undefined ? null : String(now))) return;
    setSearch((current) => withMoment(current, now), { replace: true });
  }, [text, moment, setSearch]);
}

function withMoment(search: URLSearchParams, moment: number | undefined): URLSearchParams {
  if (moment === undefined) search.delete(MOMENT_PARAMETER);
  else search.set(MOMENT_PARAMETER, String(moment));
  return search;
}
