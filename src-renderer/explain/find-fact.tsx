/** The field that finds a fact anywhere, and below it what was found, or while it is empty what was asked last. */

import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Pane } from '../components/panes.js';
import { KnownLabels } from '../components/reference-label.js';
import { SentenceView } from '../components/sentence-view.js';
import { LoadingRows } from '../components/states.js';
import type { Index } from '../components/step-view.js';
import { explainLocation, namesOf } from '../data/locations.js';
import { useStore } from '../data/store.js';
import { type Question, recentQuestions } from './recent.js';
import { useFactSearch } from './use-fact-search.js';

interface FindFactProps {
  readonly index: Index;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function FindField({ text, onChange }: Omit<FindFactProps, 'index'>) {
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
        }}
      />
    </div>
  );
}

/** What has the words in it, with the search in every found fact's address, so that one can go through them. */
export function FoundFacts({ index, text, chosen }: { index: Index; text: string; chosen: Question | undefined }) {
  const { found, labels, more, looking, unasked } = useFactSearch(text, index);
  return (
    <Pane title="Facts found">
      <KnownLabels value={labels}>
        <QuestionList index={index} questions={found} chosen={chosen} find={text} />
      </KnownLabels>
      {looking && <LoadingRows rows={3} />}
      <p className="find-remark dim" role="status">
        {!looking && found.length === 0 && 'No fact has all of these words in it. '}
        {more && !looking && 'More facts match; another word narrows them down. '}
        {unasked > 0 && !looking && `${unasked} ${unasked === 1 ? 'relation was' : 'relations were'} not looked at.`}
      </p>
    </Pane>
  );
}

/** Without the one that is shown. */
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
        const to = explainLocation(relation, tuple);
        return (
          <li key={keyOf(question)}>
            <Link
              className="row"
              to={find === undefined ? to : `${to}&${new URLSearchParams({ find }).toString()}`}
              aria-current={keyOf(question) === chosenKey}
              title={nameOf(relation)}
            >
              <span className="cut">
                <SentenceView relation={relation} tuple={tuple} info={index.get(relation)} />
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
