/** The search for facts, with its matches, or recent facts while it is empty. */

import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { LoadingRows } from '../../../domain/failure/states.js';
import { SentenceLine } from '../../../domain/proof/sentence-view.js';
import type { Index } from '../../../domain/proof/step-view.js';
import { explainLocation, namesOf } from '../../../model/facts/locations.js';
import type { RelationInfo } from '../../../model/facts/relation-index.js';
import { useStore } from '../../../state/store.js';
import { LettersMax } from '../../../ui/brief.js';
import { Glyph } from '../../../ui/glyph.js';
import { focusMainPartIfLost } from '../../../ui/lost-focus.js';
import { Pane } from '../../../ui/panes/panes.js';
import { KnownLabels } from '../../../ui/reference-label.js';
import styles from '../explain.module.css';
import { type FactReference, recentFacts } from './recent-facts.js';
import { type FactSearch, PORTION_SIZE, useFactSearch } from './use-fact-search.js';

interface FindFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Opens the first match. */
  readonly onEnter: () => void;
}

export function FindField({ text, onChange, onEnter }: FindFieldProps) {
  return (
    <div className={styles.findField}>
      <TextInput
        aria-label="Find a fact"
        placeholder="Find a fact"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) onEnter();
        }}
      />
    </div>
  );
}

/** The matches. Their addresses keep the search, so that the list stays while the user opens them. */
export function FactMatches({ index, text, selected, opens, onOpened }: FactMatchesProps) {
  const search = useFactSearch(text, index);
  const { matches, labels, more, isSearching, searched, all, failed } = search;
  const navigate = useNavigate();
  const [first] = matches;
  useEffect(() => {
    if (!opens || isSearching) return;
    onOpened();
    if (first !== undefined) void navigate(matchLocation(first, text));
  }, [opens, isSearching, first, text, navigate, onOpened]);
  return (
    <Pane title="Facts found">
      <KnownLabels value={labels}>
        <FactList index={index} facts={matches} selected={selected} find={text} />
      </KnownLabels>
      {isSearching && <LoadingRows rows={3} />}
      <p className={clsx(styles.findRemark, 'dim')} role="status">
        {!isSearching && matches.length === 0 && searched === all && 'No matches. '}
        {!isSearching && matches.length === 0 && searched < all && 'No matches so far. '}
        {first !== undefined && !isSearching && 'Press Enter to open the first. '}
        {more && !isSearching && 'More facts match. Add a word to narrow the search. '}
        {progressText(search)}
      </p>
      {searched < all && (!isSearching || search.isContinuing) && <SearchMore {...search} />}
      {failed.length > 0 && !isSearching && <NotEvaluated relations={failed} index={index} />}
    </Pane>
  );
}

interface FactMatchesProps {
  readonly index: Index;
  readonly text: string;
  readonly selected: FactReference | undefined;
  /** Opens the first match once it is known. */
  readonly opens: boolean;
  readonly onOpened: () => void;
}

/** How many relations have been searched, if not all at once. */
function progressText({ isSearching, searched, all, isContinuing }: FactSearch): string {
  if (all <= PORTION_SIZE) return '';
  if (searched === all)
    return isSearching ? `Searching the last of ${all} relations.` : `Searched all ${all} relations.`;
  if (isContinuing) return `Searching ${searched} of ${all} relations.`;
  return isSearching ? '' : `Searched the ${searched} of ${all} relations whose names match best.`;
}

/** Searches the remaining relations, in portions. */
function SearchMore({ searched, all, isContinuing, setContinuing }: FactSearch) {
  // The button disappears with the last portion.
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <div className={styles.findMore}>
      <Button variant="default" size="compact-xs" onClick={() => setContinuing(!isContinuing)}>
        {isContinuing ? 'Stop' : `Search the other ${(all - searched).toLocaleString('en')}`}
      </Button>
    </div>
  );
}

/** Links to the relations, whose lists show the reason. */
function NotEvaluated({ relations, index }: { relations: readonly RelationInfo[]; index: Index }) {
  const nameOf = namesOf([...index.keys()]);
  return (
    <p className={clsx(styles.findRemark, 'dim')}>
      <Glyph kind="warning" /> Not searched because the server could not evaluate:{' '}
      {relations.map(({ path }, place) => (
        <span key={path}>
          {place > 0 && ', '}
          <Link className="link" to={explainLocation(path)}>
            {nameOf(path)}
          </Link>
        </span>
      ))}
    </p>
  );
}

function matchLocation({ relation, tuple }: FactReference, find: string): string {
  return `${explainLocation(relation, tuple)}&${new URLSearchParams({ find }).toString()}`;
}

/** Omits the selected fact. */
export function RecentFacts({ index, selected }: { index: Index; selected: FactReference | undefined }) {
  const selectedKey = selected === undefined ? '' : keyOf(selected);
  const facts = useStore(recentFacts).filter((fact) => index.has(fact.relation) && keyOf(fact) !== selectedKey);
  if (facts.length === 0) return null;
  return (
    <section aria-label="Recent">
      <h3 className="group-title">Recent</h3>
      <FactList index={index} facts={facts.slice(0, RECENT_SHOWN)} selected={undefined} />
    </section>
  );
}

const RECENT_SHOWN = 5;

/** Limit for each value in a row. */
const ROW_LETTERS_MAX = 20;

interface QuestionListProps {
  readonly index: Index;
  readonly facts: readonly FactReference[];
  readonly selected: FactReference | undefined;
  readonly find?: string;
}

function FactList({ index, facts, selected, find }: QuestionListProps) {
  const nameOf = namesOf([...index.keys()]);
  const selectedKey = selected === undefined ? '' : keyOf(selected);
  return (
    <ul>
      {facts.map((fact) => {
        const { relation, tuple } = fact;
        return (
          <li key={keyOf(fact)}>
            <Link
              className="row"
              to={find === undefined ? explainLocation(relation, tuple) : matchLocation(fact, find)}
              aria-current={keyOf(fact) === selectedKey}
              title={nameOf(relation)}
            >
              <span className="cut">
                <LettersMax value={ROW_LETTERS_MAX}>
                  <SentenceLine relation={relation} tuple={tuple} info={index.get(relation)} />
                </LettersMax>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function keyOf({ relation, tuple }: FactReference): string {
  return JSON.stringify([relation, tuple]);
}
