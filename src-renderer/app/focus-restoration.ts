/** After going back or forward, focuses the link that led away, so that the keyboard continues from there. */

import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { MAIN_PART_ID } from '../ui/lost-focus.js';

/** A link, and its index among the links to the same address. */
interface FollowedLink {
  readonly href: string;
  readonly at: number;
}

/** Used once, by the shell. If the user focuses something else first, that stays focused. */
export function useLinkFocusOnReturn(): void {
  const { key } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const current = useRef(key);
  const followed = useRef(new Map<string, FollowedLink>());
  useEffect(() => {
    const remember = ({ target }: MouseEvent): void => {
      const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
      const href = link?.getAttribute('href');
      if (link === null || typeof href !== 'string') return;
      const at = linksTo(href).indexOf(link);
      if (at >= 0) followed.current.set(current.current, { href, at });
    };
    document.addEventListener('click', remember, true);
    return () => document.removeEventListener('click', remember, true);
  }, []);
  useEffect(() => {
    if (current.current === key) return;
    current.current = key;
    const link = isReturn ? followed.current.get(key) : undefined;
    return link && focusWhenRendered(link);
  }, [key, isReturn]);
}

/** Waits until the link exists, because server data may render it later. */
function focusWhenRendered({ href, at }: FollowedLink): (() => void) | undefined {
  const main = document.getElementById(MAIN_PART_ID);
  if (main === null) return undefined;
  const attempt = (): void => {
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== body && activeElement !== main;
    if (isElsewhere) observer.disconnect();
    const links = isElsewhere ? [] : linksTo(href);
    (links[at] ?? links[0])?.focus();
  };
  const observer = new MutationObserver(attempt);
  observer.observe(main, { subtree: true, childList: true });
  attempt();
  return () => observer.disconnect();
}

/** Only links in the panel, because those of the rail never go away. */
function linksTo(href: string): HTMLAnchorElement[] {
  const links = document.querySelectorAll<HTMLAnchorElement>(`#${MAIN_PART_ID} a[href]`);
  return [...links].filter((link) => link.getAttribute('href') === href);
}
