/**
 * Typed arguments contain ids of individuals, which mean other individuals for another tenant. So each tenant has its own drafts.
 */

import { ownValue } from '../../state/own-value.js';
import { createPersistentStore, isRecordOf, mergedMembers, type Store } from '../../state/store.js';
import { placeContext } from './place.js';

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Switches the store's value when the page's tenant changes: to the value stored for that tenant, else to the result of
 * `elsewhere`, which is the value itself if it names no individual.
 */
export function keepByTenant<T>(
  key: string,
  store: Store<T>,
  accepts: (value: unknown) => value is T,
  elsewhere: (value: T) => T,
): void {
  const held = createPersistentStore<Readonly<Record<string, T>>>(
    `${key}.by-tenant`,
    {},
    (value): value is Readonly<Record<string, T>> => isRecordOf(value, accepts),
    { merge: mergedMembers },
  );
  // Also persisted, because the tenant may change while the panel is not loaded.
  const tenant = createPersistentStore(`${key}.tenant`, tenantOfPage(), isText);
  const follow = (): void => {
    const [before, now] = [tenant.get(), tenantOfPage()];
    if (before === now) return;
    const value = store.get();
    const plain = elsewhere(value);
    const own = ownValue(held.get(), now);
    const { [before]: _, [now]: __, ...others } = held.get();
    held.set(plain === value ? others : { ...others, [before]: value });
    tenant.set(now);
    store.set(own ?? plain);
  };
  follow();
  placeContext.subscribe(follow);
}

function tenantOfPage(): string {
  return placeContext.get()['tenantId'] ?? '';
}

/** Without ids of individuals created by mutations; the same object if there are none. */
export function withoutIndividuals<T>(value: T): T {
  if (typeof value === 'string') return (/^#i\d+$/.test(value.trim()) ? '' : value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const members = value.map(withoutIndividuals);
    return members.every((member, index) => Object.is(member, value[index])) ? value : (members as T);
  }
  const members = Object.entries(value).map(([name, member]) => [name, withoutIndividuals(member)] as const);
  const isSame = members.every(([name, member]) => Object.is(member, (value as Record<string, unknown>)[name]));
  return isSame ? value : (Object.fromEntries(members) as T);
}

/** The same for JSON text. */
export function withoutIndividualsInText(json: string): string {
  return json.replaceAll(/"#i\d+"/g, '""');
}
