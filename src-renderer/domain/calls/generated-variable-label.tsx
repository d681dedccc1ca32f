/** A generated variable in a list: name, example and meaning. */

import { clsx } from 'clsx';
import type { GeneratedVariable } from '../../model/calls/generated-variables.js';
import styles from './variables.module.css';

export function GeneratedVariableLabel({ variable: { name, meaning, example } }: { variable: GeneratedVariable }) {
  return (
    <span className={styles.madeWords}>
      <span className="mono">{name}</span>
      <span className="mono dim cut">{example}</span>
      <span className={clsx('dim', styles.madeMeaning)}>{meaning}</span>
    </span>
  );
}
