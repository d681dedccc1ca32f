/** Small drawings of the page where React does not draw, such as in the margin of an editor. */

import { isValidElement, type ReactNode } from 'react';

const SVG = 'http://www.w3.org/2000/svg';

/** What an SVG made of plain elements and of components without hooks looks like. */
export function drawn(node: ReactNode): Element {
  if (!isValidElement<Readonly<Record<string, unknown>>>(node)) throw new Error('only an element can be drawn');
  const { type, props } = node;
  if (typeof type === 'function') return drawn((type as (given: typeof props) => ReactNode)(props));
  const element = document.createElementNS(SVG, String(type));
  for (const [name, value] of Object.entries(props)) {
    if (name === 'children') element.append(...[value].flat().map((child) => drawn(child as ReactNode)));
    else if (name === 'style') Object.assign(element.style, value);
    else element.setAttribute(attributeOf(name), String(value));
  }
  return element;
}

/** `strokeWidth` → `stroke-width`; that of the view is written as in React. */
function attributeOf(name: string): string {
  return name === 'viewBox' ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
