/** The tour above the panel: offered, or its steps as a checklist that ticks itself. Loaded when it is shown. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { currentFork, ForkOfPart, MAIN } from '../model/calls/place.js';
import { sortedForks } from '../model/facts/fork-names.js';
import { docsLocation } from '../model/facts/locations.js';
import { useForks } from '../server-state/forks.js';
import { useModuleInfo } from '../server-state/module.js';
import { callOutcomes } from '../server-state/run-call.js';
import { useStore } from '../state/store.js';
import { Glyph } from '../ui/glyph.js';
import { focusMainPartIfLost } from '../ui/lost-focus.js';
import { compileState } from '../workspace/compiler.js';
import { useMayOpen } from '../workspace/project.js';
import { openSample } from '../workspace/samples.js';
import { lastSave, useWorkFiles } from '../workspace/workspace.js';
import { dismissTour, TOUR_SAMPLE, takeTour, tour } from './tour.js';
import styles from './tour.module.css';
import { GOALS, locationInSource, type Observed, STEPS, type Step, useTrialParty } from './tour-steps.js';

export function TourCard() {
  const { state } = useStore(tour);
  const modules = useModuleInfo().data?.modules;
  useEffect(() => () => focusMainPartIfLost(), []);
  if (modules === undefined) return null;
  if (state === 'offered') return <Offer />;
  return modules.some(({ name }) => name === TOUR_SAMPLE) ? (
    <Checklist />
  ) : (
    <OtherModule open={modules.map(({ name }) => name).join(', ')} />
  );
}

function Offer() {
  const { files } = useWorkFiles();
  const navigate = useNavigate();
  const start = (): void => {
    takeTour();
    const place = GOALS[0]?.place({ inSource: (text) => locationInSource(files, text), fork: undefined, trial: '' });
    if (place !== undefined) void navigate(place);
  };
  return (
    <section className={clsx('notice notice-line', styles.tour)} aria-label="Tour" data-frame>
      <div className="notice-body">New here? The tour shows the workbench in five short steps.</div>
      <Button variant="default" onClick={start}>
        Take the tour
      </Button>
      <Close />
    </section>
  );
}

function Close() {
  return (
    <ActionIcon aria-label="Dismiss the tour" title="Dismiss. The ? menu has it again." onClick={dismissTour}>
      <IconX size={14} />
    </ActionIcon>
  );
}

/** Asks before the sample replaces another module. */
function OtherModule({ open }: { open: string }) {
  const mayOpen = useMayOpen();
  const [isOpening, setOpening] = useState(false);
  const start = async (): Promise<void> => {
    setOpening(true);
    await openSample(TOUR_SAMPLE);
    setOpening(false);
  };
  return (
    <section className={clsx('notice notice-line', styles.tour)} aria-label="Tour" data-frame>
      <div className="notice-body">
        The tour uses the sample <strong>{TOUR_SAMPLE}</strong>.{' '}
        {mayOpen
          ? open === ''
            ? 'It opens as a copy.'
            : `A copy of it opens, and ${open} closes. Your files do not change.`
          : 'Open it with npm start, or serve its file.'}
      </div>
      {mayOpen && (
        <Button variant="default" loading={isOpening} onClick={() => void start()}>
          Open {TOUR_SAMPLE}
        </Button>
      )}
      <Close />
    </section>
  );
}

function Checklist() {
  const { met } = useStore(tour);
  useTicks();
  const current = STEPS.findIndex((step) => !isDone(step, met));
  const [selection, setSelection] = useState<{ readonly step: number; readonly from: number }>();
  // A selection lasts until the next step is done.
  const shown = selection?.from === current ? selection.step : current;
  const step = STEPS[shown];
  return (
    <section className={styles.tour} aria-label="Tour" data-frame>
      <header className={styles.head}>
        <h2>Tour</h2>
        <ol className={styles.steps}>
          {STEPS.map((each, at) => (
            <li key={each.name}>
              <button
                type="button"
                className={clsx('plain', styles.step)}
                aria-current={at === shown ? 'step' : undefined}
                onClick={() => setSelection({ step: at, from: current })}
              >
                {isDone(each, met) ? <Glyph kind="good" label="done" /> : <span className="numeric">{at + 1}</span>}
                <span className={styles.stepName}>{each.name}</span>
              </button>
            </li>
          ))}
        </ol>
        <span className="pane-spacer" />
        <Close />
      </header>
      {step === undefined ? (
        <Finished />
      ) : (
        <ForkOfPart value={MAIN}>
          <Goals step={step} met={met} />
        </ForkOfPart>
      )}
      <p className="visually-hidden" role="status">
        {current < 0 ? 'Tour finished' : `Step ${current + 1} of ${STEPS.length}: ${STEPS[current]?.name ?? ''}`}
      </p>
    </section>
  );
}

function isDone({ goals }: Step, met: readonly string[]): boolean {
  return goals.every(({ id }) => met.includes(id));
}

function Goals({ step: { goals, panel }, met }: { step: Step; met: readonly string[] }) {
  const { files } = useWorkFiles();
  const { id: trial } = useTrialParty();
  const forks = sortedForks(useForks().data ?? []);
  const next = goals.find(({ id }) => !met.includes(id)) ?? goals[0];
  const fork = forks.find(({ id, status }) => status === 'open' && id !== MAIN)?.id;
  const place = next?.place({ inSource: (text) => locationInSource(files, text), fork, trial });
  return (
    <div className={styles.body}>
      <ul className={styles.goals}>
        {goals.map(({ id, text }) => (
          <li key={id} className="glyph-line" data-met={met.includes(id)}>
            <Glyph kind={met.includes(id) ? 'good' : 'pending'} label={met.includes(id) ? 'done' : 'to do'} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
      {place !== undefined && (
        <Button component={Link} to={place} variant="default">
          Show in {panel}
        </Button>
      )}
    </div>
  );
}

function Finished() {
  const mayOpen = useMayOpen();
  return (
    <div className={styles.body}>
      <p className={styles.goals}>
        That is the whole loop: edit, ask, change, explain, compare.{' '}
        {mayOpen && (
          <>
            To write your own, click {TOUR_SAMPLE} at the top left and choose <em>New module</em>.
          </>
        )}
      </p>
      <Button component={Link} to={docsLocation('workbench')} variant="default">
        Read the guides
      </Button>
      <Button variant="default" onClick={dismissTour}>
        Finish
      </Button>
    </div>
  );
}

/** Ticks the goals that are met. */
function useTicks(): void {
  const { met, startedAt } = useStore(tour);
  const observed = useObserved(startedAt);
  const ticked = GOALS.filter(({ id, isMet }) => !met.includes(id) && isMet(observed)).map(({ id }) => id);
  const news = ticked.join(' ');
  useEffect(() => {
    if (news !== '') tour.update((current) => ({ ...current, met: [...current.met, ...news.split(' ')] }));
  }, [news]);
}

function useObserved(startedAt: number): Observed {
  const { pathname, search } = useLocation();
  const save = useStore(lastSave);
  const calls = Object.values(useStore(callOutcomes));
  const { diagnostics } = useStore(compileState);
  return {
    hasError: diagnostics.some(({ severity }) => severity === 'error'),
    isSaved: save.state === 'done' && save.at > startedAt && save.outcome.reloaded,
    calls: calls.filter((call) => call.state !== 'running' && call.at > startedAt),
    pathname,
    search: new URLSearchParams(search),
    fork: useStore(currentFork),
    isForkClosed: useIsForkClosed(startedAt),
  };
}

/** Whether a fork that was open during the tour is closed. */
function useIsForkClosed(startedAt: number): boolean {
  const forks = useForks().data ?? [];
  const seen = useRef({ startedAt, open: new Set<string>() });
  if (seen.current.startedAt !== startedAt) seen.current = { startedAt, open: new Set() };
  const { open } = seen.current;
  for (const { id, status } of forks) if (status === 'open') open.add(id);
  return forks.some(({ id, status }) => status !== 'open' && open.has(id));
}
