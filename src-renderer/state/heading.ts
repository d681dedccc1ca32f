/**
 * Where the page is navigating to. Until the new place is rendered, effects of the old one may still run, and must not navigate: they
 * would lead away from where the user has gone.
 */

import { useEffect } from 'react';
import { type DataRouter, useLocation, useNavigate } from 'react-router';

/** The key of the history entry that the page is at, or is navigating to. */
let headingFor = '';

/** Called once, with the page's router. */
export function followHeading(router: Pick<DataRouter, 'state' | 'subscribe'>): void {
  headingFor = router.state.location.key;
  router.subscribe(({ location, navigation }) => {
    headingFor = (navigation.location ?? location).key;
  });
}

/** Whether the page is at this history entry and is not leaving it. */
export function staysAt(key: string): boolean {
  return headingFor === key;
}

/** Replaces the address of a panel that has nothing selected by this one, once it is known. */
export function useOpenFirst(place: string | undefined): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  useEffect(() => {
    if (place !== undefined && staysAt(key)) void navigate(place, { replace: true });
  }, [place, key, navigate]);
}
