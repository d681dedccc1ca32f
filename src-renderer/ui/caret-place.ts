/** Position of a character in a text field. Browsers do not expose it, so a hidden copy of the text is measured. */

/** Styles that affect the position of characters. */
const COPIED = [
  'border-bottom-width',
  'border-left-width',
  'border-right-width',
  'border-top-width',
  'direction',
  'font-family',
  'font-feature-settings',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'tab-size',
  'text-align',
];

/** Lower left corner of the character relative to the field, and its height, in pixels. */
export function caretPlace(
  field: HTMLInputElement | HTMLTextAreaElement,
  index: number,
): { readonly left: number; readonly top: number; readonly height: number } {
  const style = getComputedStyle(field);
  const copy = document.createElement('div');
  for (const property of COPIED) copy.style.setProperty(property, style.getPropertyValue(property));
  Object.assign(copy.style, {
    boxSizing: 'border-box',
    overflowWrap: 'break-word',
    position: 'absolute',
    visibility: 'hidden',
    // Without the scrollbar.
    width: `${field.clientWidth + field.clientLeft * 2}px`,
    whiteSpace: field instanceof HTMLTextAreaElement ? 'pre-wrap' : 'pre',
  });
  copy.textContent = field.value.slice(0, index);
  const character = document.createElement('span');
  character.textContent = field.value.slice(index, index + 1);
  copy.append(character);
  document.body.append(copy);
  const left = field.clientLeft + character.offsetLeft - field.scrollLeft;
  const height = character.offsetHeight;
  const top = field.clientTop + character.offsetTop + height - field.scrollTop;
  copy.remove();
  return { left: within(left, field.offsetWidth), top: within(top, field.offsetHeight), height };
}

function within(place: number, end: number): number {
  return Math.min(Math.max(place, 0), end);
}
