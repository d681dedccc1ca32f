/** Copies a value or row and shows a toast. */

import { notifications } from '@mantine/notifications';
import type { JsonValue } from '../../src-runtime/api/schemas/schemas.js';

/** Texts, numbers and ids as they are; lists and rows as JSON. */
export async function copyValue(value: JsonValue): Promise<void> {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, Array.isArray(value) ? undefined : 2);
  try {
    await navigator.clipboard.writeText(text);
    last = { text, value };
    const [start = ''] = text.split('\n');
    notifications.show({ message: `Copied: ${start.length > 60 || start !== text ? `${start.slice(0, 60)}…` : text}` });
  } catch {
    notifications.show({ color: 'red', message: 'Copy failed: the clipboard is not available.' });
  }
}

let last: { readonly text: string; readonly value: JsonValue } | undefined;

/** The last copied value, if the text still matches it: the text alone does not say which value it was. */
export function copiedValue(text: string): JsonValue | undefined {
  return last !== undefined && last.text === text.replaceAll('\r\n', '\n') ? last.value : undefined;
}
