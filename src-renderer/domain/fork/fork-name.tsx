/** The name of a fork wherever one is named: what people call it, with its id on hover; two that are called alike have the id behind. */

import { Tooltip } from '@mantine/core';
import { useRef } from 'react';
import { useForkNames } from '../../server-state/forks.js';
import { CutMiddle } from '../../ui/cut-middle.js';
import { usePointedAt } from '../../ui/pointed-at.js';

interface ForkNameProps {
  readonly id: string;
  /** Has a place of its own, and gives way in its middle where that is too narrow; otherwise it runs on in a sentence. */
  readonly cut?: boolean;
  readonly className?: string;
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
  /** What is done with it. */
  readonly children: string;
  readonly id: string;
}

/** The words of a button that end with a fork's name, and words on a line of their own: the name gives way, never the words. */
export function ToFork({ children, id }: ToForkProps) {
  return (
    <span className="to-fork">
      {children} <ForkName id={id} cut />
    </span>
  );
}

/** A name that was cut is told whole, too. */
export function tipOf(name: string, id: string): string {
  return name.endsWith(`(${id})`) ? name : `${name} (${id})`;
}
