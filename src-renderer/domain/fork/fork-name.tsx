/** The label of a fork, with its id as tooltip. Forks with the same label show the id too. */

import { Tooltip } from '@mantine/core';
import { useRef } from 'react';
import { useForkNames } from '../../server-state/forks.js';
import { CutMiddle } from '../../ui/cut-middle.js';
import { usePointedAt } from '../../ui/pointed-at.js';

interface ForkNameProps {
  readonly id: string;
  /** Truncates the middle of the name if there is little room; otherwise the name wraps in its sentence. */
  readonly cut?: boolean;
  readonly className?: string | undefined;
}

export function ForkName({ id, cut = false, className = '' }: ForkNameProps) {
  const name = useForkNames()(id);
  const element = useRef<HTMLSpanElement>(null);
  const { isPointedAt, handlers } = usePointedAt();
  const told = tipOf(name, id);
  const tip = name === id || name === told ? undefined : told;
  if (cut) {
    return (
      <CutMiddle className={className} tip={tip}>
        {name}
      </CutMiddle>
    );
  }
  return (
    <>
      <span ref={element} dir="auto" className={className} {...handlers}>
        {name}
      </span>
      {isPointedAt && tip !== undefined && <Tooltip target={element} label={tip} opened />}
    </>
  );
}

interface ToForkProps {
  /** Words before the name. */
  readonly children: string;
  readonly id: string;
}

/** Words followed by a fork name. Only the name is truncated. */
export function ToFork({ children, id }: ToForkProps) {
  return (
    <span className="to-fork">
      {children} <ForkName id={id} cut />
    </span>
  );
}

/** The tooltip has the full name. */
export function tipOf(name: string, id: string): string {
  return name.endsWith(`(${id})`) ? name : `${name} (${id})`;
}
