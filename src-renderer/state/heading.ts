/**
 * Where the page is going. It shows that only once it is drawn there: until then the place before may still find out what it
 * would open, or ask for what was typed, and must not lead back from what was asked for since.
 */

import type { DataRouter } from 'react-router';

/** Of the entry of the history that the page is at, or on its way to. */
let headingFor = '';

/** To be called once, with the page's router. */
export function followHeading(router: Pick<DataRouter, 'state' | 'subscribe'>): void {
  headingFor = router.state.location.key;
  router.subscribe(({ location, navigation }) => {
    headingFor = (navigation.location ?? location).key;
  });
}

/** Whether the page stays at this entry of the history, which it shows. */
export function staysAt(key: string): boolean {
  return headingFor === key;
}
