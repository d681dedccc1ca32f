/**
 * Opens something in a panel where nothing is chosen. The page shows where one goes only once the panel there is drawn: until
 * then the one before may still find out what it would open, and must not lead back.
 */

import { useEffect } from 'react';
import { type DataRouter, useLocation, useNavigate } from 'react-router';

let headingFor = '';

/** To be called once, with the page's router. */
export function followHeading(router: Pick<DataRouter, 'state' | 'subscribe'>): void {
  headingFor = router.state.location.pathname;
  router.subscribe(({ location, navigation }) => {
    headingFor = (navigation.location ?? location).pathname;
  });
}

/** Replaces the panel's address by this one, where it is known. */
export function useOpenFirst(place: string | undefined): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => {
    if (place !== undefined && headingFor === pathname) void navigate(place, { replace: true });
  }, [place, pathname, navigate]);
}
