/** Hands a text to the user as a file. */

export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file over by then; the address would keep the text in memory.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A name that every system takes; `other` where nothing is left of it. */
export function safeFileName(name: string, other: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/\s+/g, '-')
    .slice(0, 80);
  return safe === '' ? other : safe;
}
