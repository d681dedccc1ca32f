/** Search index of all settings. */

import type { Health, Limits } from '../../../src-runtime/api/schemas/health-schemas.js';
import { keysOf, keysText, SHORTCUTS } from '../../state/shortcuts.js';
import { CAPABILITY_WORDS, LIMITS, LOG_LIMIT, variableOf } from './limit-rows.js';
import { STORAGE_GROUPS } from './storage-groups.js';

export type SectionId = 'connect' | 'limits' | 'data' | 'appearance' | 'keyboard' | 'kept' | 'about';

export interface FoundSetting {
  readonly section: SectionId;
  /** Name in its section. */
  readonly name: string;
  /** Further search words. */
  readonly words: string;
}

const PLAIN: readonly (readonly [SectionId, string, string])[] = [
  ['connect', 'Address', 'url port host server'],
  ['connect', 'Token', 'authorization bearer access copy show replace revoke port fixed'],
  ['connect', 'curl', 'example call http'],
  ['connect', 'Command line', 'example call shell entail'],
  ['connect', 'TypeScript', 'example client node'],
  ['connect', 'Description', 'openapi document generator'],
  ['data', 'Module', 'source files loaded hash schema'],
  ['data', 'Data', 'storage directory folder disk memory new projects old earlier versions'],
  ['appearance', 'Colours', 'dark light theme system'],
  ['appearance', 'Rows of tables, trees and lists', 'density compact comfortable height'],
  ['about', 'Built with', 'version licence libraries'],
];

/** In the order of sections: settings that contain the text, or else all of its words. */
export function findSettings(text: string, bindings: Parameters<typeof keysOf>[1] = {}): FoundSetting[] {
  const all = allSettings(bindings);
  const having = (words: readonly string[]): FoundSetting[] =>
    all.filter(({ name, words: more }) => words.every((word) => `${name} ${more}`.toLowerCase().includes(word)));
  const wanted = text.toLowerCase();
  const whole = having([wanted]);
  return whole.length > 0 ? whole : having(wanted.split(/\s+/));
}

function allSettings(bindings: Parameters<typeof keysOf>[1]): FoundSetting[] {
  const plain = PLAIN.map(([section, name, words]) => ({ section, name, words }));
  const of = (...sections: readonly SectionId[]) => plain.filter(({ section }) => sections.includes(section));
  return [
    ...of('connect'),
    ...[...(Object.keys(LIMITS) as (keyof Limits)[]).map((key) => LIMITS[key]), LOG_LIMIT].map(
      ({ name, option, effect }): FoundSetting => ({
        section: 'limits',
        name,
        words: `${option} ${variableOf(option)} ${effect}`,
      }),
    ),
    ...(Object.keys(CAPABILITY_WORDS) as Health['capabilities']).map(
      (capability): FoundSetting => ({
        section: 'limits',
        name: CAPABILITY_WORDS[capability],
        words: `--grant ${capability} capability`,
      }),
    ),
    ...of('data', 'appearance'),
    ...SHORTCUTS.map(
      ({ id, name }): FoundSetting => ({ section: 'keyboard', name, words: `keys ${keysText(keysOf(id, bindings))}` }),
    ),
    ...STORAGE_GROUPS.map(({ name, description }): FoundSetting => ({ section: 'kept', name, words: description })),
    ...of('about'),
  ];
}
