/** Opens something in a panel where nothing is chosen. */

import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { staysAt } from './heading.js';

/** Replaces the address by this one, where it is known. */
export function useOpenFirst(place: string | undefined): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  useEffect(() => {
    if (place !== undefined && staysAt(key)) void navigate(place, { replace: true });
  }, [place, key, navigate]);
}
