/** The name of a fork wherever one is named: what people call it, with its id on hover; two that are called alike have the id behind. */

import { Tooltip } from '@mantine/core';
import { useRef, useState } from 'react';
import { useForkNames } from '../data/forks.js';
import { CutMiddle } from './cut-middle.js';

interface ForkNameProps {
  readonly id: string;
  /** Has a place of its own, and gives way in its middle where that is too narrow; otherwise it runs on in a sentence. */
  readonly cut?: boolean;
  readonly className?: string;
}

export function ForkName({ id, cut = false, className = '' }: ForkNameProps) {
  const name = useForkNames()(id);
  const element = useRef<HTMLSpanElement>(null);
  const [opened, setOpened] = useState(false);
  const tip = name === id ? undefined : tipOf(name, id);
  if (cut) {
    return (
      <CutMiddle className={className} tip={tip}>
        {name}
      </CutMiddle>
    );
  }
  return (
    <>
      <span
        ref={element}
        dir="auto"
        className={className}
        onPointerEnter={() => setOpened(true)}
        onPointerLeave={() => setOpened(false)}
      >
        {name}
      </span>
      {opened && tip !== undefined && <Tooltip target={element} label={tip} opened />}
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
