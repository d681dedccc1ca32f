/** Turns streamed JSON lines into a JSON list with a row on each line, in constant memory. */

const [LINE_END, COMMA, BRACKET, BRACKET_END] = [10, 44, 91, 93];

export async function* jsonList(jsonLines: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(BRACKET);
  // The end of a line becomes a comma and the end of a line, once another line follows.
  let isBetween = false;
  for await (const chunk of jsonLines) {
    const bytes = new Uint8Array(chunk.length + lineEnds(chunk) + 2);
    let written = 0;
    for (let from = 0; from < chunk.length; ) {
      if (isBetween) {
        bytes[written++] = COMMA;
        bytes[written++] = LINE_END;
      }
      const lineEnd = chunk.indexOf(LINE_END, from);
      const end = lineEnd < 0 ? chunk.length : lineEnd;
      bytes.set(chunk.subarray(from, end), written);
      written += end - from;
      isBetween = lineEnd >= 0;
      from = end + 1;
    }
    if (written > 0) yield bytes.subarray(0, written);
  }
  yield Uint8Array.of(BRACKET_END, LINE_END);
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) count++;
  return count;
}
