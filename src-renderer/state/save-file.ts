/** Downloads a file. */

export function saveFile(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The address keeps the content in memory. By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name without characters that some system forbids; `fallback` if nothing is left. */
export function safeFileName(name: string, fallback: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N} ._-]/gu, '')
    .replace(/\s+/g, '-')
    .slice(0, 80);
  return safe === '' ? fallback : safe;
}
