/** The proofs in a repro bundle: why the firings that it tells of came about, or what an explanation said. */

import { useMemo } from 'react';
import type { ReproBundle } from '../../../../src-runtime/api/repro-bundle.js';
import type { Explanation } from '../../../../src-runtime/api/schemas/explanation-schemas.js';
import { FactExplanation } from '../../../domain/proof/fact-explanation.js';
import { shortName } from '../../../model/facts/locations.js';
import { useHealth } from '../../../server-state/queries.js';
import { KnownLabels, LocalNames } from '../../../ui/reference-label.js';
import { namesInBundle } from './bundle-names.js';

export function BundleProof({ bundle }: { bundle: ReproBundle }) {
  const { proof, request, artifact } = bundle;
  const loaded = useHealth().data?.module.moduleHash;
  const names = useMemo(() => namesInBundle(bundle), [bundle]);
  if (proof === undefined) return null;
  const { explanations, asOf } = proof;
  return (
    <section className="bundle-proof" aria-label="Proof">
      <h3 className="group-title">{explanations.length === 1 ? 'Proof' : `Proofs of ${explanations.length} facts`}</h3>
      <p className="dim">
        {asOf === 'request'
          ? `Of the facts that the request met${request.status >= 400 ? ', and of what it would have made of them' : ''}.`
          : 'Of the facts as they were when the bundle was saved: others had changed them, or the module, since the request.'}
      </p>
      <LocalNames value={names}>
        <KnownLabels value={names}>
          {explanations.map((explanation, place) => (
            <FactExplanation
              // biome-ignore lint/suspicious/noArrayIndexKey: the proofs of one bundle have no identity but their place.
              key={place}
              explanation={explanation}
              about={aboutOf(explanation, explanations.length > 1 ? place + 1 : undefined)}
              hasSource={loaded === artifact.integrity}
            />
          ))}
        </KnownLabels>
      </LocalNames>
    </section>
  );
}

/** Of several proofs each has a number, as they may be of one check. */
function aboutOf(explanation: Explanation, number: number | undefined): string {
  const relation = explanation.holds ? explanation.proof.relation : explanation.whyNot.relation;
  return `${shortName(relation ?? '')}${number === undefined ? '' : `, ${number}`}`;
}
