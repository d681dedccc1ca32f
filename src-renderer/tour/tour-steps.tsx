/** The steps of the tour, as in the README. Each goal says what to do, where, and how the page sees that it was done. */

import type { ReactNode } from 'react';
import type { Fact } from '../../src-runtime/api/schemas/schemas.js';
import { MAIN } from '../model/calls/place.js';
import { failureOf } from '../model/facts/failure.js';
import { explainLocation, forksLocation, invokeLocation, moduleLocation } from '../model/facts/locations.js';
import { useRelation } from '../server-state/facts.js';
import type { CallOutcome, EndedCall } from '../server-state/run-call.js';
import type { PanelName } from '../state/shortcuts.js';
import { keysText } from '../state/shortcuts.js';

/** What the page knows about the user's work since the tour began. */
export interface Observed {
  /** Whether the text in the editor has an error. */
  readonly hasError: boolean;
  readonly isSaved: boolean;
  readonly calls: readonly CallOutcome[];
  readonly pathname: string;
  readonly search: URLSearchParams;
  readonly fork: string;
  /** Whether a fork was promoted or discarded. */
  readonly isForkClosed: boolean;
}

/** Where the goals of some steps are. */
export interface Places {
  /** The location of a text in the sources. */
  readonly inSource: (text: string) => string;
  /** The newest open fork. */
  readonly fork: string | undefined;
  /** The id of the party whose liability is tried. */
  readonly trial: string;
}

export interface Goal {
  readonly id: string;
  readonly text: ReactNode;
  readonly place: (places: Places) => string;
  readonly isMet: (observed: Observed) => boolean;
}

export interface Step {
  readonly name: string;
  readonly panel: PanelName;
  readonly goals: readonly Goal[];
}

const SIGN = 'lease::sign';
const ACTIVE_LEASES = 'lease::activeLeases';
const LIABLE = 'lease::liable';
const QUAY_5 = '@lease::quay5Lease';

/** A promoted trial makes a party liable, so the next tour asks about the next one. */
const TRIAL_PARTIES = [
  { id: '@lease::chidi', name: 'Chidi Okafor' },
  { id: '@lease::dana', name: 'Dana Petrova' },
  { id: '@lease::emil', name: 'Emil Novak' },
  { id: '@lease::bruno', name: 'Bruno Keller' },
] as const;

export const STEPS: readonly Step[] = [
  {
    name: 'Edit',
    panel: 'Module',
    goals: [
      {
        id: 'misspell',
        text: (
          <>
            In <code>derive active</code>, change <code>signed</code> to <code>sined</code>. The editor underlines it.
          </>
        ),
        place: ({ inSource }) => inSource('derive active('),
        isMet: ({ hasError }) => hasError,
      },
      {
        id: 'save',
        text: (
          <>
            Undo with {keysText('Mod+Z')}, change the message of <code>unguaranteed</code>, and save with{' '}
            {keysText('Mod+S')}.
          </>
        ),
        place: ({ inSource }) => inSource('check unguaranteed('),
        isMet: ({ isSaved }) => isSaved,
      },
    ],
  },
  {
    name: 'Ask',
    panel: 'Invoke',
    goals: [
      {
        id: 'query',
        text: (
          <>
            Run <code>activeLeases</code>.
          </>
        ),
        place: () => invokeLocation(ACTIVE_LEASES),
        isMet: ({ calls }) => calls.some((call) => isEnded(call, ACTIVE_LEASES) && call.state === 'answered'),
      },
      {
        id: 'argument',
        text: (
          <>
            Set <code>minRent</code> to 1000 and run it again: the result has two leases fewer.
          </>
        ),
        place: () => invokeLocation(ACTIVE_LEASES),
        isMet: ({ calls }) => calls.some((call) => isEnded(call, ACTIVE_LEASES) && argument(call, 'minRent') === 1000),
      },
    ],
  },
  {
    name: 'Change',
    panel: 'Invoke',
    goals: [
      {
        id: 'dry-run',
        text: (
          <>
            In <code>sign</code>, enter the tenant Chidi Okafor, the code QUAY-7 and a rent of 640. Choose{' '}
            <em>Dry run</em> to preview the lease and its warning.
          </>
        ),
        place: () => invokeLocation(SIGN),
        isMet: ({ calls }) =>
          calls.some((call) => isEnded(call, SIGN) && call.state === 'answered' && call.call.dryRun),
      },
      {
        id: 'blocked',
        text: (
          <>
            Choose <em>Run</em> with the tenant Ada Lindqvist. The check <code>tooManyLeases</code> blocks it, and
            nothing is saved.
          </>
        ),
        place: () => invokeLocation(SIGN),
        isMet: ({ calls }) => calls.some((call) => isEnded(call, SIGN) && isBlocked(call)),
      },
    ],
  },
  {
    name: 'Explain',
    panel: 'Explain',
    goals: [
      {
        id: 'proof',
        text: (
          <>
            Choose <code>liable</code>. In the list below it, find Northgate Group with ELM-12 to see the proof.
          </>
        ),
        place: () => explainLocation(LIABLE),
        // The panel opens on its first fact, which alone meets no goal.
        isMet: ({ pathname, search }) => pathname === '/explain' && isOfLiable(search, 'northgate'),
      },
      {
        id: 'trial',
        text: <TrialText />,
        // Without a tuple, the panel would replace the proof of the first goal with another.
        place: ({ trial }) => explainLocation(LIABLE, [trial, QUAY_5]),
        isMet: ({ pathname, search, fork }) =>
          pathname === '/explain' && TRIAL_PARTIES.some(({ id }) => isOfLiable(search, id)) && fork !== MAIN,
      },
    ],
  },
  {
    name: 'Compare',
    panel: 'Forks',
    goals: [
      {
        id: 'compare',
        text: <>Compare that fork with main: stored facts, conclusions and violations.</>,
        place: ({ fork }) => forksLocation(fork),
        // Explain can close the fork too, and then there is nothing left to compare.
        isMet: ({ pathname, search, fork, isForkClosed }) =>
          isForkClosed ||
          (pathname === '/forks' && (search.get('show') ?? fork) !== MAIN && search.get('view') === null),
      },
      {
        id: 'close',
        text: (
          <>
            Choose <em>Promote…</em> to keep its changes, or <em>Discard…</em> to drop them.
          </>
        ),
        place: ({ fork }) => forksLocation(fork),
        isMet: ({ isForkClosed }) => isForkClosed,
      },
    ],
  },
];

export const GOALS: readonly Goal[] = STEPS.flatMap(({ goals }) => goals);

function TrialText() {
  return (
    <>
      Choose <em>Why not…?</em> and explain {useTrialParty().name} and QUAY-5. Under <em>How to make it true</em>,
      choose <em>Try on a fork</em> for the first change.
    </>
  );
}

/** On the fork of the part that calls it. */
export function useTrialParty(): { readonly id: string; readonly name: string } {
  return trialParty(useRelation(LIABLE).data?.pages.flatMap(({ result }) => result) ?? []);
}

/** The first party that is not yet liable for QUAY-5. */
export function trialParty(liable: readonly Pick<Fact, 'tuple'>[]) {
  const isLiable = (id: string): boolean =>
    liable.some(({ tuple: [party, lease] }) => party === id && lease === QUAY_5);
  return TRIAL_PARTIES.find(({ id }) => !isLiable(id)) ?? TRIAL_PARTIES[0];
}

function isEnded(outcome: CallOutcome, path: string): outcome is EndedCall {
  const { request } = outcome.call;
  return outcome.state !== 'running' && 'path' in request && request.path === path;
}

function argument({ call: { request } }: EndedCall, name: string): number {
  return 'args' in request ? Number(request.args[name]) : Number.NaN;
}

function isBlocked(outcome: EndedCall): boolean {
  return outcome.state === 'failed' && failureOf(outcome.error)?.code === 'SVC_RUNTIME_CHECK_VIOLATION';
}

/** `individual` is a part of an id in the tuple. */
function isOfLiable(search: URLSearchParams, individual: string): boolean {
  return search.get('relation') === LIABLE && search.get('tuple')?.includes(individual) === true;
}

/** The location of the first occurrence of a text in the sources. */
export function locationInSource(
  files: readonly { readonly file: string; readonly text: string }[],
  text: string,
): string {
  const found = files.find((each) => each.text.includes(text));
  if (found === undefined) return moduleLocation();
  const before = found.text.slice(0, found.text.indexOf(text)).split('\n');
  const start = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  return moduleLocation({ file: found.file, start: { ...start, offset: 0 } });
}
