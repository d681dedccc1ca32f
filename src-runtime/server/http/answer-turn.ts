/**
 * Holds answers back until all that came in the turn of the event loop has been worked on. Where each is sent by itself, each
 * wakes the process that waits for it, and to wake a process costs more than to send an answer.
 */

/** Answers that wait for each other, at most: whoever gets the first ones may go on while the next are made. */
export const TOGETHER_MAX = 16;

/** What is handed to the function that comes back is sent in the same order. */
export function gatherAnswers<Answer>(send: (answer: Answer) => void): (answer: Answer) => void {
  let gathered: Answer[] = [];
  const sendAll = (): void => {
    const answers = gathered;
    gathered = [];
    for (const answer of answers) send(answer);
  };
  return (answer) => {
    const count = gathered.push(answer);
    if (count === TOGETHER_MAX) sendAll();
    else if (count === 1) setImmediate(sendAll);
  };
}
