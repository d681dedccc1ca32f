/** The search for facts, with its matches, or recent facts while it is empty. */

import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
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
import { type Question, recentQuestions } from './recent.js';
import { type FactSearch, PORTION, useFactSearch } from './use-fact-search.js';

interface FindFactProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Opens the first match. */
  readonly onEnter: () => void;
}

export function FindField({ text, onChange, onEnter }: FindFactProps) {
  return (
    <div className="find-field">
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
export function FoundFacts({ index, text, chosen, opens, onOpened }: FoundFactsProps) {
  const search = useFactSearch(text, index);
  const { found, labels, more, looking, asked, all, failed } = search;
  const navigate = useNavigate();
  const [first] = found;
  useEffect(() => {
    if (!opens || looking) return;
    onOpened();
    if (first !== undefined) void navigate(foundLocation(first, text));
  }, [opens, looking, first, text, navigate, onOpened]);
  return (
    <Pane title="Facts found">
      <KnownLabels value={labels}>
        <QuestionList index={index} questions={found} chosen={chosen} find={text} />
      </KnownLabels>
      {looking && <LoadingRows rows={3} />}
      <p className="find-remark dim" role="status">
        {!looking && found.length === 0 && asked === all && 'No matches. '}
        {!looking && found.length === 0 && asked < all && 'No matches so far. '}
        {first !== undefined && !looking && 'Press Enter to open the first. '}
        {more && !looking && 'More facts match. Add a word to narrow the search. '}
        {lookedWords(search)}
      </p>
      {asked < all && (!looking || search.isGoingOn) && <GoOn {...search} />}
      {failed.length > 0 && !looking && <NotEvaluated relations={failed} index={index} />}
    </Pane>
  );
}

interface FoundFactsProps {
  readonly index: Index;
  readonly text: string;
  readonly chosen: Question | undefined;
  /** Opens the first match once it is known. */
  readonly opens: boolean;
  readonly onOpened: () => void;
}

/** How many relations have been searched, if not all at once. */
function lookedWords({ looking, asked, all, isGoingOn }: FactSearch): string {
  if (all <= PORTION) return '';
  if (asked === all) return looking ? `Searching the last of ${all} relations.` : `Searched all ${all} relations.`;
  if (isGoingOn) return `Searching ${asked} of ${all} relations.`;
  return looking ? '' : `Searched the ${asked} of ${all} relations whose names match best.`;
}

/** Searches the remaining relations, in portions. */
function GoOn({ asked, all, isGoingOn, goOn }: FactSearch) {
  // The button disappears with the last portion.
  useEffect(() => () => focusMainPartIfLost(), []);
  return (
    <div className="find-more">
      <Button variant="default" size="compact-xs" onClick={() => goOn(!isGoingOn)}>
        {isGoingOn ? 'Stop' : `Search the other ${(all - asked).toLocaleString('en')}`}
      </Button>
    </div>
  );
}

/** The list of each relation says why. */
function NotEvaluated({ relations, index }: { relations: readonly RelationInfo[]; index: Index }) {
  const nameOf = namesOf([...index.keys()]);
  return (
    <p className="find-remark dim">
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

function foundLocation({ relation, tuple }: Question, find: string): string {
  return `${explainLocation(relation, tuple)}&${new URLSearchParams({ find }).toString()}`;
}

/** Without the selected fact. */
export function RecentFacts({ index, chosen }: { index: Index; chosen: Question | undefined }) {
  const chosenKey = chosen === undefined ? '' : keyOf(chosen);
  const questions = useStore(recentQuestions).filter(
    (question) => index.has(question.relation) && keyOf(question) !== chosenKey,
  );
  if (questions.length === 0) return null;
  return (
    <section aria-label="Recent">
      <h3 className="group-title">Recent</h3>
      <QuestionList index={index} questions={questions.slice(0, RECENT_SHOWN)} chosen={undefined} />
    </section>
  );
}

const RECENT_SHOWN = 5;

/** Limit for each value in a row. */
const ROW_LETTERS_MAX = 20;

interface QuestionListProps {
  readonly index: Index;
  readonly questions: readonly Question[];
  readonly chosen: Question | undefined;
  readonly find?: string;
}

function QuestionList({ index, questions, chosen, find }: QuestionListProps) {
  const nameOf = namesOf([...index.keys()]);
  const chosenKey = chosen === undefined ? '' : keyOf(chosen);
  return (
    <ul>
      {questions.map((question) => {
        const { relation, tuple } = question;
        return (
          <li key={keyOf(question)}>
            <Link
              className="row"
              to={find === undefined ? explainLocation(relation, tuple) : foundLocation(question, find)}
              aria-current={keyOf(question) === chosenKey}
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

function keyOf({ relation, tuple }: Question): string {
  return JSON.stringify([relation, tuple]);
}
