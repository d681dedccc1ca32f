/**
 * Offers to restore a closed tab or deleted call. The notice stays until used or dismissed, because the text may exist nowhere
 * else. Several offers share one notice.
 */

import { notifications } from '@mantine/notifications';
import { createStore, useStore } from '../../state/store.js';
import { notifyFailure } from '../failure/notify-failure.js';
import styles from './closed-notice.module.css';

interface Offer {
  readonly words: string;
  readonly action: string;
  readonly onAction: () => void;
}

const OFFERS_MAX = 4;
const NOTICE = 'gone';

const offers = createStore<readonly Offer[]>([]);

/** For a tab with unsaved text. */
export function offerReopening(name: string, onReopen: () => void): void {
  offerBack({ words: `${name} was closed.`, action: 'Reopen', onAction: onReopen });
}

/** For something deleted. A failed undo is shown. */
export function offerUndo(words: string, onUndo: () => Promise<void>): void {
  const onAction = (): void => void onUndo().catch((error: unknown) => notifyFailure('Undo failed', error));
  offerBack({ words, action: 'Undo', onAction });
}

function offerBack(offer: Offer): void {
  offers.update((all) => [...all, offer].slice(-OFFERS_MAX));
  notifications.show({ id: NOTICE, autoClose: false, message: <Offers />, onClose: () => offers.set([]) });
}

function take(offer: Offer): void {
  const left = offers.get().filter((each) => each !== offer);
  offers.set(left);
  if (left.length === 0) notifications.hide(NOTICE);
  offer.onAction();
}

function Offers() {
  const all = useStore(offers);
  return all.map((offer, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own, and no state.
    <div key={index} className={styles.offer}>
      <span>{offer.words}</span>
      <button type="button" className="plain link" onClick={() => take(offer)}>
        {offer.action}
      </button>
    </div>
  ));
}
