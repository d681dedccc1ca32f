/** What fixes a refused argument: a value that the server accepts, the return of a deleted individual, or a new one. */

import { Button } from '@mantine/core';
import { createContext, useContext } from 'react';
import { Link } from 'react-router';
import type { JsonValue } from '../../../src-runtime/api/schemas/schemas.js';
import type { ApiFailure } from '../../model/facts/failure.js';
import { entityLabel, looksLikeReference } from '../../model/facts/labels.js';
import { dataLocation, shortName } from '../../model/facts/locations.js';
import { useFoundIndividuals } from '../../server-state/facts.js';
import { ReferenceLabel } from '../../ui/reference-label.js';
import styles from './failure-view.module.css';
import { IndividualDeleted } from './individual-deleted.js';

/** The form of a refused call. */
interface ArgumentForm {
  /** The argument at a JSON path like `$.args.lines[0].amount`. */
  valueAt(path: string): JsonValue | undefined;
  put(path: string, value: JsonValue): void;
}

/** Absent if the page has no form for the call any more. */
export const ArgumentFormOf = createContext<ArgumentForm | undefined>(undefined);

export function ArgumentRepairs({ failure }: { readonly failure: ApiFailure }) {
  const form = useContext(ArgumentFormOf);
  const { path, nearest, absent, classPath } = refusedArgumentOf(failure);
  const value = path === undefined ? undefined : form?.valueAt(path);
  const text = nearest === undefined && absent === undefined && typeof value === 'string' ? value : '';
  const isName = classPath !== undefined && text !== '' && !looksLikeReference(text);
  const found = useFoundIndividuals(classPath ?? '', text, isName);
  const labelled = isName ? (found.data?.result ?? []).filter((entity) => entityLabel(entity) === text) : [];
  const values = nearest === undefined ? labelled.map(({ $id }) => $id) : [nearest];
  const canPut = form !== undefined && path !== undefined && values.length > 0;
  const isUnknown = classPath !== undefined && (absent !== undefined || (isName && found.isSuccess)) && !canPut;
  if (!canPut && absent === undefined && !isUnknown) return null;
  return (
    <section className={styles.argumentRepairs} aria-label="How to fix it">
      {absent !== undefined && <IndividualDeleted id={absent} />}
      {canPut &&
        values.slice(0, VALUES_MAX).map((each) => (
          <Button key={each} variant="default" size="compact-xs" onClick={() => form.put(path, each)}>
            Use&nbsp;
            <ReferenceLabel value={each} reference={looksLikeReference(each)} to={undefined} />
          </Button>
        ))}
      {isUnknown && (
        <Button component={Link} variant="default" size="compact-xs" to={dataLocation(classPath)}>
          Add a {shortName(classPath)} in Data
        </Button>
      )}
    </section>
  );
}

/** More individuals with the same label would not help to choose. */
const VALUES_MAX = 3;

interface RefusedArgument {
  /** JSON path in the request, like `$.args.rent`. */
  readonly path?: string | undefined;
  /** A similar value that the server accepts. */
  readonly nearest?: string | undefined;
  /** The id of an individual that does not exist. */
  readonly absent?: string | undefined;
  /** The class of the expected individual. */
  readonly classPath?: string | undefined;
}

function refusedArgumentOf({ code, details }: ApiFailure): RefusedArgument {
  if (code !== 'SVC_RUNTIME_VALIDATION_FAILED') return {};
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const { path, nearest, absent, class: classPath } = details;
  return { path: textOf(path), nearest: textOf(nearest), absent: textOf(absent), classPath: textOf(classPath) };
}
