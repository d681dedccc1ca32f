/** One firing as a row that leads to its proof; or, of one that went since the last look, what it said. */

import { Link } from 'react-router';
import type { Firing } from '../../src-runtime/api/schemas.js';
import { Cut } from '../components/cut.js';
import { NamedText } from '../components/named-text.js';
import { ReferenceLabel } from '../components/reference-label.js';
import { explainLocation } from '../data/locations.js';
import type { ShownCheck } from './check-groups.js';
import type { News } from './news.js';

interface FiringRowProps {
  readonly firing: Firing;
  readonly check: ShownCheck;
  readonly fresh: boolean;
}

export function FiringRow({ firing, check, fresh }: FiringRowProps) {
  return (
    <Link className="row firing-row" to={explainLocation(firing.check, Object.values(firing.tuple))}>
      <span className="firing-mark">{fresh && 'new'}</span>
      <Cut className="firing-message">
        <NamedText text={firing.message} />
      </Cut>
      <Tuple tuple={firing.tuple} check={check} />
      <span className="firing-why link" aria-hidden>
        Why?
      </span>
    </Link>
  );
}

export function GoneRows({ news, check }: { news: News; check: ShownCheck }) {
  return news.gone.map(({ key, message, tuple }) => (
    <li key={`gone ${key}`} className="row firing-row firing-gone">
      <span className="firing-mark">gone</span>
      <Cut className="firing-message">
        <NamedText text={message} />
      </Cut>
      <Tuple tuple={tuple} check={check} />
      <span />
    </li>
  ));
}

function Tuple({ tuple, check: { declared } }: { tuple: Firing['tuple']; check: ShownCheck }) {
  return (
    <Cut className="firing-tuple">
      {Object.entries(tuple).map(([name, value], position) => (
        <span key={name} className="firing-value">
          <span className="dim mono" title={name}>
            {name}
          </span>{' '}
          <ReferenceLabel value={value} reference={declared?.parameters[position]?.type.kind === 'class'} />
        </span>
      ))}
    </Cut>
  );
}
