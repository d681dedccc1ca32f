/**
 * Opens something in a panel where nothing is chosen. The page shows where one goes only once it is drawn there: until then
 * the place before may still find out what it would open, and must not lead back from what was asked for since.
 */

import { useEffect } from 'react';
import { type DataRouter, useLocation, useNavigate } from 'react-router';

/** Of the entry of the history that the page is at, or on its way to. */
let headingFor = '';

/** To be called once, with the page's router. */
export function followHeading(router: Pick<DataRouter, 'state' | 'subscribe'>): void {
  headingFor = router.state.location.key;
  router.subscribe(({ location, navigation }) => {
    headingFor = (navigation.location ?? location).key;
  });
}

/** Replaces the address by this one, where it is known. */
export function useOpenFirst(place: string | undefined): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  useEffect(() => {
    if (place !== undefined && headingFor === key) void navigate(place, { replace: true });
  }, [place, key, navigate]);
}
