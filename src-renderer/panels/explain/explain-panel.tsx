/** The Explain panel: find a fact or select a tuple, and see why it is true or false. */

import { useCallback, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import { Empty, LoadFailure, LoadingRows, NoModuleLoaded, SourceLink } from '../../domain/failure/states.js';
import type { Index } from '../../domain/proof/step-view.js';
import { usesUnsavedSource } from '../../model/calls/dry-run-url.js';
import { canonicalFact, canonicalIds } from '../../model/facts/canonical-ids.js';
import { isLost, isNoModule } from '../../model/facts/failure.js';
import { idLabel } from '../../model/facts/labels.js';
import { explainLocation, parseTuple, shortName } from '../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../model/facts/relation-index.js';
import {
  distinctFacts,
  explainTogetherLocation,
  type NamedFact,
  parseFacts,
  TOGETHER_PARAMETER,
} from '../../model/facts/together.js';
import { sentenceOf, sentenceText } from '../../model/sentences/sentence.js';
import { firstToExplain, useCounts } from '../../server-state/counts.js';
import { useRelation } from '../../server-state/facts.js';
import { useSchema } from '../../server-state/module.js';
import { useOpenFirst } from '../../state/heading.js';
import { useOpenName } from '../../state/page-title.js';
import { useUrlText } from '../../state/url-text.js';
import { Panes, useIsNarrow } from '../../ui/panes/panes.js';
import { useLabels } from '../../ui/reference-label.js';
import { RenamedSince } from '../../ui/renamed-since.js';
import styles from './explain.module.css';
import { ExplanationView } from './explanation-view.js';
import { FactMatches, FindField } from './find/find-fact.js';
import { RelationList } from './find/relation-list.js';
import { TupleList } from './find/tuple-list.js';
import { useOtherState } from './other-state.js';
import { TogetherView } from './together-view.js';

export function ExplainPanel() {
  const schema = useSchema();
  const [search] = useSearchParams();
  const path = search.get('relation');
  const tupleText = search.get('tuple');
  const togetherText = search.get(TOGETHER_PARAMETER);
  const navigate = useNavigate();
  const index = useMemo(() => relationIndex(schema.data), [schema.data]);
  const together = useMemo(() => {
    const tuple = parseTuple(tupleText);
    if (path === null || tuple === undefined) return [];
    const idOf = canonicalIds(schema.data ?? { individuals: [] });
    const facts = [{ relation: path, tuple }, ...parseFacts(togetherText)];
    return distinctFacts(facts.map((fact) => canonicalFact(fact, index, idOf)));
  }, [schema.data, index, path, tupleText, togetherText]);
  const tuple = together[0]?.tuple;
  const { rules, after } = useOtherState() ?? {};
  // The page does not know the declarations of an ad-hoc text.
  const isFromOtherSource = rules !== undefined || (after !== undefined && usesUnsavedSource(after));
  const info = path === null ? undefined : index.get(path);
  const explained = info ?? (path === null || !isFromOtherSource ? undefined : unknownRelation(path));
  const counts = useCounts();
  // Counts tell which relations have tuples. If they fail to load, the first relation opens.
  const first = path === null && !counts.isPending ? firstToExplain(index, counts.data) : undefined;
  useOpenFirst(first === undefined ? undefined : explainLocation(first));
  useOpenName(useFactText(explained, tuple) ?? (path === null ? undefined : shortName(path)));
  const isOpening = useFirstTuple(info?.path, tuple === undefined);

  if (isNoModule(schema.error)) {
    return <NoModuleLoaded title="Nothing to explain yet" appears="relations and their proofs" />;
  }
  if (isLost(schema)) return <LoadFailure error={schema.error} onRetry={() => void schema.refetch()} />;
  const facts = <FactsSide index={index} info={info} tuple={tuple} together={together} />;
  const explanation =
    info !== undefined && together.length > 1 ? (
      <TogetherView
        facts={together}
        index={index}
        onRemove={(fact) => void navigate(explainTogetherLocation(together.filter((each) => each !== fact)))}
      />
    ) : explained !== undefined && tuple !== undefined ? (
      <ExplanationView info={explained} tuple={tuple} index={index} />
    ) : schema.isPending || (path === null && counts.isPending) || isOpening ? (
      <LoadingRows />
    ) : (
      <NoTuple path={path} known={info !== undefined} isEmpty={index.size === 0} />
    );
  return (
    <Panes
      id="explain"
      panes={[
        { id: 'facts', size: 272, minSize: 200, fixed: true, content: facts },
        {
          id: 'explanation-pane',
          name: 'explanation',
          minSize: 440,
          wanted: tuple !== undefined,
          content: explanation,
        },
      ]}
    />
  );
}

/** For a relation of an earlier module, of which only the name is known. */
function unknownRelation(path: string): RelationInfo {
  return { path, kind: 'derived', endpoints: [], doc: undefined, span: undefined };
}

/** The fact as a sentence. Undefined without a tuple. */
function useFactText(info: RelationInfo | undefined, tuple: readonly JsonValue[] | undefined): string | undefined {
  const labels = useLabels();
  if (info === undefined || tuple === undefined) return undefined;
  return sentenceText(sentenceOf(info.path, tuple, info), (id) => labels.get(id) ?? idLabel(id));
}

interface FactsSideProps {
  readonly index: Index;
  readonly info: RelationInfo | undefined;
  readonly tuple: readonly JsonValue[] | undefined;
  /** The selected tuple, and those explained together with it. */
  readonly together: readonly NamedFact[];
}

/** Facts to select: found by words, or by relation and tuple. */
function FactsSide({ index, info, tuple, together }: FactsSideProps) {
  const schema = useSchema();
  const isNarrow = useIsNarrow();
  const [find, setFind] = useUrlText('find');
  const [entered, setEntered] = useState<string>();
  const onOpened = useCallback(() => setEntered(undefined), []);
  const selected = info === undefined || tuple === undefined ? undefined : { relation: info.path, tuple };
  const tuples =
    info === undefined || schema.data === undefined ? (
      <LoadingRows rows={schema.isPending ? 5 : 0} />
    ) : (
      <TupleList key={info.path} info={info} schema={schema.data} selected={tuple} together={together} />
    );
  const relations = <RelationList index={index} pending={schema.isPending} selected={info?.path} question={selected} />;
  return (
    <div className={styles.factsSide}>
      <FindField text={find} onChange={setFind} onEnter={() => setEntered(find)} />
      <div className={styles.factsLists}>
        {find.trim() === '' ? (
          <Panes
            id={isNarrow ? 'facts-narrow' : 'facts'}
            orientation={isNarrow ? 'horizontal' : 'vertical'}
            stacks={false}
            panes={[
              { id: 'relations', size: '50%', content: relations },
              { id: 'tuples', content: tuples },
            ]}
          />
        ) : (
          <FactMatches index={index} text={find} selected={selected} opens={entered === find} onOpened={onOpened} />
        )}
      </div>
    </div>
  );
}

/** Opens the first tuple of the relation, so that the panel is never empty. Returns true until that is done. */
function useFirstTuple(relation: string | undefined, enabled: boolean): boolean {
  const facts = useRelation(relation);
  const first = facts.data?.pages[0]?.result[0]?.tuple;
  const isKnown = enabled && relation !== undefined && first !== undefined;
  useOpenFirst(isKnown ? explainLocation(relation, first) : undefined);
  return enabled && (facts.isLoading || isKnown);
}

interface NoTupleProps {
  readonly path: string | null;
  readonly known: boolean;
  /** No relation of the module has tuples. */
  readonly isEmpty: boolean;
}

function NoTuple({ path, known, isEmpty }: NoTupleProps) {
  if (!known && path !== null) {
    return (
      <Empty title={`${shortName(path)} not found`}>
        <RenamedSince path={path} locationOf={explainLocation} />
        <p>It may have been renamed or removed. Select another relation on the left.</p>
      </Empty>
    );
  }
  if (isEmpty) {
    return (
      <Empty title="No facts to explain yet">
        <p>
          <SourceLink>Declare a concept, relation or derive</SourceLink> and save. Its facts are explained here.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No tuple selected">
      <p>Select a tuple on the left to see why it is true. For any other, choose Why not…?</p>
    </Empty>
  );
}
