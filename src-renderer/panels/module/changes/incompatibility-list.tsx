/** Declarations that stored facts use and that the new module lacks, each with links to those facts. */

import { useMemo } from 'react';
import { Link } from 'react-router';
import type { FactInTheWay } from '../../../../src-runtime/api/schemas/module-schemas.js';
import { ForkName } from '../../../domain/fork/fork-name.js';
import { SentenceLine } from '../../../domain/proof/sentence-view.js';
import type { Incompatibility } from '../../../model/facts/failure.js';
import { dataLocation, explainLocation } from '../../../model/facts/locations.js';
import { type RelationInfo, relationIndex } from '../../../model/facts/relation-index.js';
import { useSchema } from '../../../server-state/module.js';
import { NamedText } from '../../../ui/named-text.js';
import { KnownLabels } from '../../../ui/reference-label.js';
import styles from '../module.module.css';

type Served = ReadonlyMap<string, RelationInfo>;

export function IncompatibilityList({ incompatibilities }: { incompatibilities: readonly Incompatibility[] }) {
  const schema = useSchema().data;
  const served: Served = useMemo(() => (schema === undefined ? new Map() : relationIndex(schema)), [schema]);
  return (
    <ul className={styles.saveList}>
      {incompatibilities.map((incompatibility) => (
        <Line key={`${incompatibility.declaration} ${incompatibility.words}`} {...incompatibility} served={served} />
      ))}
    </ul>
  );
}

function Line({ declaration, words, facts, examples, served }: Incompatibility & { readonly served: Served }) {
  const names = useMemo(() => new Map(Object.entries(examples[0]?.names ?? {})), [examples]);
  const list = listOf(declaration, examples, served);
  return (
    <li>
      <span className="mono">{declaration}</span> {/* In another scope, an id means another individual. */}
      {examples.length === 0 ? (
        words
      ) : (
        <KnownLabels value={names}>
          <NamedText text={words} />
        </KnownLabels>
      )}
      <div className={styles.saveFacts}>
        {examples.map((fact) => (
          <Fact key={JSON.stringify(fact)} fact={fact} info={served.get(fact.relation)} />
        ))}
        {list !== undefined && facts > examples.length && (
          <Link className="link" to={list}>
            {examples.length === 0 ? 'Show in Data' : `and ${facts - examples.length} more`}
          </Link>
        )}
      </div>
    </li>
  );
}

function Fact({
  fact: { fork, relation, tuple, names },
  info,
}: {
  fact: FactInTheWay;
  info: RelationInfo | undefined;
}) {
  const labels = useMemo(() => new Map(Object.entries(names)), [names]);
  return (
    <KnownLabels value={labels}>
      <span>
        <Link className="link" to={explainLocation(relation, tuple, fork)}>
          <SentenceLine relation={relation} tuple={tuple} info={info} />
        </Link>
        {fork !== 'main' && (
          <span className="dim">
            {' '}
            on <ForkName id={fork} />
          </span>
        )}
      </span>
    </KnownLabels>
  );
}

/** The list with all facts of the declaration. A redeclared name may have its facts under another declaration. */
function listOf(declaration: string, examples: readonly FactInTheWay[], served: Served): string | undefined {
  const info = served.get(declaration) ?? served.get(examples[0]?.relation ?? '');
  if (info === undefined) return undefined;
  const holder = info.kind === 'field' ? info.endpoints[0]?.type : undefined;
  return dataLocation(holder !== undefined && 'path' in holder ? holder.path : info.path);
}
