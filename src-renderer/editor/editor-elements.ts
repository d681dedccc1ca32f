/** Makes the elements of the editor's popups, panels and gutters, which are outside React. */

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

/** Outlines of Tabler, which the page uses elsewhere. */
const ICONS = {
  bulb: 'M3 12h1m8 -9v1m8 8h1m-15.4 -6.4l.7 .7m12.1 -.7l-.7 .7M9 16a5 5 0 1 1 6 0a3.5 3.5 0 0 0 -1 3a2 2 0 0 1 -4 0a3.5 3.5 0 0 0 -1 -3M9.7 17h4.6',
  close: 'M18 6l-12 12M6 6l12 12',
  expand: 'M9 6l6 6l-6 6',
  next: 'M6 9l6 6l6 -6',
  previous: 'M6 15l6 -6l6 6',
} as const;

export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  for (const [attribute, value] of Object.entries(DRAWN)) svg.setAttribute(attribute, value);
  return svg;
}

const DRAWN = {
  viewBox: '0 0 24 24',
  width: '14',
  height: '14',
  fill: 'none',
  stroke: 'currentColor',
  'stroke-width': '2',
  'stroke-linecap': 'round',
  'stroke-linejoin': 'round',
  'aria-hidden': 'true',
};
