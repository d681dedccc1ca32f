/** A generated variable in a list: name, example and meaning. */

import type { MadeVariable } from '../../model/calls/made-variables.js';
import './variables.css';

export function MadeWords({ variable: { name, meaning, example } }: { variable: MadeVariable }) {
  return (
    <span className="made-words">
      <span className="mono">{name}</span>
      <span className="mono dim cut">{example}</span>
      <span className="dim made-meaning">{meaning}</span>
    </span>
  );
}
