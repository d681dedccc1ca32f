/** One individual: its classes and fields, and all stored and derived facts that mention it, with links to their proofs. */

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { Entity, JsonValue, ListedFact } from '../../../src-runtime/api/schemas/schemas.js';
import { IndividualDeleted } from '../../domain/failure/individual-deleted.js';
import { LoadFailure, LoadingRows } from '../../domain/failure/states.js';
import { SentenceLine } from '../../domain/proof/sentence-view.js';
import { placeOptions, usePlace } from '../../model/calls/place.js';
import { isNotFound } from '../../model/facts/failure.js';
import { entityLabel } from '../../model/facts/labels.js';
import { dataLocation, explainLocation, historyOfLocation, shortName } from '../../model/facts/locations.js';
import type { RelationInfo } from '../../model/facts/relation-index.js';
import { api } from '../../server-state/api.js';
import { PAGE_ROWS, useIndividual } from '../../server-state/facts.js';
import { Cut } from '../../ui/cut.js';
import { Glyph } from '../../ui/glyph.js';
import { Pane, PaneTitle } from '../../ui/panes/panes.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import { CallsMenu } from './calls-menu.js';
import { editedIn, forgetEdit } from './edit/edit-draft.js';
import { EditField } from './edit/edit-field.js';
import { isReferenceField, whyNotSet } from './edit/settable.js';
import { useStaged } from './edit/use-staged.js';
import styles from './entity-view.module.css';
import { Origin } from './fact-view.js';
import { LongValue } from './long-value.js';
import { groupedMentions, mentionsLocation } from './mention-groups.js';
import { fieldsOfClass } from './rows/grid-columns.js';
import { type ListState, listLocation } from './rows/list-state.js';

interface EntityViewProps {
  readonly id: string;
  readonly schema: ServedSchema;
  readonly index: ReadonlyMap<string, RelationInfo>;
  readonly state: ListState;
}

export function EntityView({ id, schema, index, state }: EntityViewProps) {
  const individual = useIndividual(id, true);
  const navigate = useNavigate();
  const { fork } = usePlace();
  const entity = individual.data;
  const gone = isNotFound(individual.error);
  return (
    <Pane
      label="Individual"
      title={
        // The label fills the first line; the id is below it, next to the classes.
        <PaneTitle>
          {entity !== undefined && !gone ? (
            entityLabel(entity)
          ) : (
            <span className={clsx('mono', styles.entityId)}>{id}</span>
          )}
        </PaneTitle>
      }
      actions={
        <>
          <Button component={Link} variant="subtle" size="compact-xs" to={historyOfLocation(fork, id)}>
            History
          </Button>
          {entity !== undefined && !gone && <CallsMenu entity={entity} schema={schema} />}
          <ActionIcon
            aria-label="Close the individual"
            onClick={() => void navigate(listLocation({ ...state, individual: undefined }))}
          >
            <IconX size={14} />
          </ActionIcon>
        </>
      }
    >
      {individual.isPending && <LoadingRows rows={6} />}
      {gone && (
        <div className="pane-padded">
          <IndividualDeleted id={id} name={entity && entityLabel(entity)} />
        </div>
      )}
      {individual.isError && !gone && (
        <LoadFailure error={individual.error} onRetry={() => void individual.refetch()} />
      )}
      {entity !== undefined && (
        <>
          {!gone && (
            <div className={styles.entityHead}>
              <Classes entity={entity} index={index} />
              <Cut className={clsx('mono', 'dim', styles.entityId)}>{entity.$id}</Cut>
            </div>
          )}
          {/* Stay mounted during an edit, so that input is not lost. */}
          <Fields key={entity.$id} entity={entity} schema={schema} index={index} state={state} gone={gone} />
        </>
      )}
      {entity !== undefined && !gone && (
        <Origin relation={entity.$meta.type} tuple={[entity.$id]} info={index.get(entity.$meta.type)} />
      )}
      {!individual.isError && (
        <>
          <Mentions id={id} kind="stored" index={index} known={individual.isSuccess} />
          <Mentions id={id} kind="derived" index={index} known={individual.isSuccess} />
        </>
      )}
    </Pane>
  );
}

function Classes({ entity, index }: { entity: Entity; index: ReadonlyMap<string, RelationInfo> }) {
  return (
    <ul className={styles.entityClasses} aria-label="Classes">
      {entity.$meta.classes.map((path) => {
        const isDerived = index.get(path)?.kind === 'define';
        return (
          <li key={path}>
            <Link
              className={styles.entityClass}
              to={explainLocation(path, [entity.$id])}
              title={isDerived ? 'Explain' : 'Concept'}
            >
              <Glyph kind={isDerived ? 'derived' : 'class'} label={isDerived ? 'derived' : 'concept'} size={10} />
              {shortName(path)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

type EntityProps = Pick<EntityViewProps, 'schema' | 'index' | 'state'> & {
  readonly entity: Entity;
  /** It was deleted while open; its last state stays visible. */
  readonly gone: boolean;
};

function Fields({ entity, schema, index, state, gone }: EntityProps) {
  const fields = fieldsOfClass(schema, entity.$meta.type);
  const [editing, setEditing] = useState(() => {
    const edited = editedIn('individual');
    return edited?.id === entity.$id ? edited.field : undefined;
  });
  const edit = useCallback((field: string | undefined) => {
    forgetEdit('individual');
    setEditing(field);
  }, []);
  const done = useCallback(() => edit(undefined), [edit]);
  const isGoing = useStaged().deletions.has(entity.$id);
  useFocusBack(editing === undefined ? undefined : editButton(editing));
  if (fields.length === 0) return null;
  return (
    <section aria-label="Fields">
      <h3 className="group-title">Fields</h3>
      {isGoing && <p className={clsx('dim', styles.entityGoing)}>Will be deleted with the staged changes.</p>}
      <dl className={styles.entityFields}>
        {fields.map((field) => {
          const value = (entity[field.name] ?? null) as JsonValue;
          const { navigation } = field;
          const source = navigation === undefined ? undefined : index.get(navigation.relation);
          return (
            <div className={styles.entityField} key={field.path}>
              <dt className="dim" title={field.doc}>
                {field.name}
              </dt>
              <dd>
                {editing === field.name ? (
                  <EditField place="individual" {...{ entity, field, value, schema }} onDone={done} />
                ) : (
                  <>
                    <FieldValue
                      {...{ value, state }}
                      isReference={isReferenceField(field.type)}
                      isNavigation={field.navigation !== undefined}
                    />
                    {gone || (
                      <span className={styles.entityFieldActions}>
                        {!isGoing && whyNotSet(schema, entity, field) === undefined && (
                          <Button
                            id={editButton(field.name)}
                            variant="subtle"
                            size="compact-xs"
                            aria-label={`Edit ${field.name}`}
                            onClick={() => edit(field.name)}
                          >
                            Edit
                          </Button>
                        )}
                        {!isEmpty(value) && source !== undefined && (
                          <RelationLink
                            kind={source.kind === 'derived' ? 'derived' : 'stored'}
                            to={dataLocation(source.path)}
                            words={shortName(source.path)}
                          />
                        )}
                      </span>
                    )}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function editButton(field: string): string {
  return `edit-field-${field}`;
}

/** What replaces a button returns the focus to it. */
function useFocusBack(id: string | undefined): void {
  const before = useRef(id);
  useEffect(() => {
    if (id === undefined && before.current !== undefined) document.getElementById(before.current)?.focus();
    before.current = id;
  }, [id]);
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function RelationLink({ kind, to, words }: { kind: 'stored' | 'derived'; to: string; words: string }) {
  return (
    <Link className={styles.entityWhy} to={to} title={kind}>
      <Glyph kind={kind} label={kind} size={10} />
      <span className="link">{words}</span>
    </Link>
  );
}

interface FieldValueProps {
  readonly value: JsonValue;
  readonly state: ListState;
  readonly isReference: boolean;
  readonly isNavigation: boolean;
}

function FieldValue({ value, state, isReference, isNavigation }: FieldValueProps) {
  if (isEmpty(value)) return <span className="dim">{value === null || isNavigation ? 'none' : '[]'}</span>;
  const items = Array.isArray(value) ? value : [value];
  return (
    <span className={styles.entityValue}>
      {items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list may have an element twice.
        <span key={at}>
          {at > 0 && ', '}
          {isReference ? (
            <Link className="value-link" to={listLocation({ ...state, individual: String(item) })}>
              <ReferenceLabel value={item} reference />
            </Link>
          ) : (
            <LongValue value={item} />
          )}
        </span>
      ))}
    </span>
  );
}

/** A conclusion is explained; a stored fact has nothing to explain, and is shown in its list. */
function mentionLocation({ relation, tuple, origin = 'derived' }: ListedFact): string {
  if (origin === 'derived') return explainLocation(relation, tuple);
  const list = { path: relation, individual: undefined, sort: undefined, filters: [], find: '' };
  return listLocation({ ...list, fact: tuple });
}

const MENTIONS = {
  stored: { title: 'Stored facts that mention it', none: 'No stored facts or fields refer to it.' },
  derived: { title: 'Conclusions that mention it', none: 'No conclusions besides its classes.' },
};

interface MentionsProps {
  readonly id: string;
  readonly kind: 'stored' | 'derived';
  readonly index: ReadonlyMap<string, RelationInfo>;
  /** The individual exists; otherwise nothing is loaded. */
  readonly known: boolean;
}

function Mentions({ id, kind, index, known }: MentionsProps) {
  const place = usePlace();
  const mentions = useInfiniteQuery({
    queryKey: ['facts', 'mentions', kind, id, place],
    queryFn: ({ pageParam, signal }) => {
      const page = {
        limit: PAGE_ROWS,
        ...(pageParam === undefined ? {} : { page: pageParam }),
        ...placeOptions(signal),
      };
      return kind === 'stored' ? api.storedOf(id, page) : api.derivedOf(id, page);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor,
    enabled: known,
  });
  const { title, none } = MENTIONS[kind];
  const groups = useMemo(
    () => groupedMentions(mentions.data?.pages.flatMap(({ result }) => result) ?? [], id, index),
    [mentions.data, id, index],
  );
  return (
    <section aria-label={title}>
      <h3 className="group-title">{title}</h3>
      {mentions.isPending && <LoadingRows rows={3} />}
      {mentions.isError && <LoadFailure error={mentions.error} onRetry={() => void mentions.refetch()} />}
      {mentions.isSuccess && groups.length === 0 && <p className={clsx(styles.entityNone, 'dim')}>{none}</p>}
      {groups.map(({ relation, facts }, at) => (
        <div key={relation} className="mention-group">
          <Link
            className={clsx(styles.mentionHead, 'dim')}
            to={mentionsLocation(relation, facts, id, index)}
            title="Open as a list"
          >
            {shortName(relation)}{' '}
            <span className="numeric">
              {facts.length}
              {mentions.hasNextPage && at === groups.length - 1 ? '+' : ''}
            </span>
          </Link>
          <ul>
            {facts.map((fact) => (
              <li key={fact.factId}>
                <Link
                  className={clsx('row', styles.mention)}
                  to={mentionLocation(fact)}
                  title={(fact.origin ?? 'derived') === 'derived' ? 'Explain' : 'Open the fact'}
                >
                  <Glyph kind={fact.origin ?? 'derived'} label={fact.origin ?? 'derived'} size={10} />
                  <SentenceLine relation={relation} tuple={fact.tuple} info={index.get(relation)} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {mentions.hasNextPage && (
        <div className={styles.entityNone}>
          <Button variant="default" loading={mentions.isFetchingNextPage} onClick={() => void mentions.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </section>
  );
}
