/** The facts that mention an individual: stored or derived, and the proofs of derived ones. */

import type { Explanation } from '../../api/schemas/explanation-schemas.js';
import type { Fact, ListedFact } from '../../api/schemas/schemas.js';
import type { Deadline } from '../../base/ports.js';
import {
  drive,
  filtered,
  holdsIndividuals,
  NONE,
  orderRows,
  type RelationInfo,
  type View,
} from '../../engine/index.js';
import type { ExplanationOptions, Page } from '../contract/requests.js';
import { requireIndividual } from '../read/individual-lists.js';
import { type FactSection, type ListSite, wireFacts, withOrigin } from '../read/lists.js';
import type { PageRequest } from '../state/cursor.js';
import { codesMentioning, isInstance } from '../state/individuals.js';
import { isStoredKind } from '../state/scope.js';
import { withFaults } from '../wire/faults.js';
import { type OpenSection, pageOfSections } from '../wire/orders.js';
import { type ExplanationSite, explainCodes } from './explanations.js';

/** Sorted by relation, then in the language's order. Throws VALIDATION_FAILED and DERIVE_FAILED. */
export async function listMentions(
  site: ListSite,
  reference: string,
  kind: 'stored' | 'derived',
  request: PageRequest,
  deadline: Deadline,
): Promise<Page<ListedFact[]>> {
  const { view } = site;
  const { rows, ...more } = await pageOfSections(
    view,
    sectionsOf(view, reference, kind, 'DERIVE', deadline),
    request,
    deadline,
  );
  const facts = await wireFacts(view, rows, deadline);
  if (kind === 'derived') return { result: facts, ...more };
  const result = rows.map(({ section, codes }, at) => withOrigin(site, section.info, facts[at] as Fact, codes));
  return { result, ...more };
}

/** The proofs of these facts. They share the node limit: each has at least one node and says if it was cut. */
export async function explainMentions(
  site: ExplanationSite,
  reference: string,
  request: PageRequest,
  deadline: Deadline,
  options: Pick<ExplanationOptions, 'proofs'> = {},
): Promise<Page<Explanation[]>> {
  const { view } = site;
  const { rows, ...more } = await pageOfSections(
    view,
    sectionsOf(view, reference, 'derived', 'EXPLAIN', deadline),
    request,
    deadline,
  );
  const result: Explanation[] = [];
  let nodesLeft = site.nodesMax;
  for (const [index, { section, codes }] of rows.entries()) {
    const following = rows.length - index - 1;
    const nodesMax = Math.max(1, nodesLeft - following);
    const explanation = await explainCodes({ ...site, nodesMax }, section.info.path, codes, deadline, options);
    result.push(explanation);
    if (!explanation.holds) continue;
    for (const { proof } of explanation.proofs ?? [explanation]) nodesLeft -= nodesIn(proof);
  }
  return { result, ...more };
}

function nodesIn(proof: (Explanation & { holds: true })['proof']): number {
  const waiting = [proof];
  let nodes = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes += 1;
    for (const premise of node.premises) if (!('ref' in premise)) waiting.push(premise);
  }
  return nodes;
}

/** One section for each relation of the kind that has an endpoint for the individual's concept. */
function sectionsOf(
  view: View,
  reference: string,
  kind: 'stored' | 'derived',
  failing: 'DERIVE' | 'EXPLAIN',
  deadline: Deadline,
): FactSection[] {
  const { code, concept } = requireIndividual(view, reference);
  const sections: FactSection[] = [];
  const infos = [...view.program.relations.values()].filter((info) => isStoredKind(info.kind) === (kind === 'stored'));
  for (const info of infos.sort((left, right) => (left.path < right.path ? -1 : 1))) {
    const positions = [...info.endpoints.keys()].filter((position) => {
      const type = info.endpoints[position]?.type;
      if (type?.kind === 'class') return isInstance(view.program, concept, type.path);
      return type !== undefined && holdsIndividuals(type);
    });
    if (positions.length === 0) continue;
    let opened: Promise<OpenSection> | undefined;
    sections.push({
      info,
      key: info.path,
      types: info.endpoints.map(({ type }) => type),
      open() {
        opened ??= openMentions(view, info, positions, code, failing, deadline);
        return opened;
      },
    });
  }
  return sections;
}

async function openMentions(
  view: View,
  info: RelationInfo,
  positions: readonly number[],
  code: number,
  failing: 'DERIVE' | 'EXPLAIN',
  deadline: Deadline,
): Promise<OpenSection> {
  const failed = `SVC_RUNTIME_${failing}_FAILED` as const;
  const materialise = () => view.materialise(info.path, deadline);
  const reader = await withFaults(view.program, info.path, failed, materialise, failed);
  const found: number[][] = [];
  const isNested = positions.some((position) => info.endpoints[position]?.type.kind !== 'class');
  if (isNested) await drive(view.interner.mentions.extend(), deadline);
  const mentioning = info.endpoints.map(({ type }, position) =>
    positions.includes(position) ? codesMentioning(view.interner, type, code) : [],
  );
  for (const position of positions) {
    await reader.prepare([position], deadline);
    for (const value of mentioning[position] ?? []) {
      const rows = reader.match(info.endpoints.map((_, index) => (index === position ? value : null)));
      // A fact that mentions the individual twice is listed at its first position only.
      const isFirst = (row: readonly number[]) =>
        positions.find((each) => mentioning[each]?.includes(row[each] ?? NONE)) === position;
      for (const row of await drive(filtered(rows, isFirst), deadline)) found.push(row);
    }
  }
  const types = info.endpoints.map(({ type }) => type);
  return {
    size: found.length,
    order: async () =>
      drive(orderRows(view, types, { codes: Int32Array.from(found.flat()), size: found.length }), deadline),
  };
}
