/** The timing of a request as bars. */

import { clsx } from 'clsx';
import type { RequestDetail } from '../../../src-runtime/api/schemas/request-log.js';
import styles from './log.module.css';
import { timeText } from './request-text.js';

type Phases = NonNullable<RequestDetail['phases']>;

const WORDS: Readonly<Record<Phases[number]['phase'], readonly [name: string, meaning: string]>> = {
  receiving: ['Receiving', 'reading, authorizing and parsing the request'],
  waiting: ['Waiting', 'for earlier writes'],
  evaluating: ['Evaluating', 'statements, rules and the result'],
  guarding: ['Checking', 'checks on the changes'],
  storing: ['Storing', 'writing to disk'],
  encoding: ['Encoding', 'the result as JSON'],
  sending: ['Sending', 'sending the response'],
};

export function RequestPhases({ phases }: { phases: Phases }) {
  const whole = phases.reduce((sum, { ms }) => sum + ms, 0);
  let beforeMs = 0;
  const rows = phases.map(({ phase, ms }) => {
    const from = beforeMs;
    beforeMs += ms;
    return { phase, ms, from };
  });
  return (
    <section className={styles.requestPart} aria-label="Timing">
      <h3>Timing</h3>
      <table className={styles.requestPhases}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Phase</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ phase, ms, from }) => {
            const [name, meaning] = WORDS[phase];
            return (
              <tr key={phase} title={`${name}: ${meaning}`}>
                <th scope="row" className={styles.requestPhaseName}>
                  {name}
                  <span className="visually-hidden">, {meaning}</span>
                </th>
                <td className={styles.requestPhaseTrack} aria-hidden>
                  <span
                    className={styles.requestPhaseBar}
                    style={{ left: `min(${percent(from, whole)}, 100% - 2px)`, width: percent(ms, whole) }}
                  />
                </td>
                <td className={clsx('numeric', styles.requestPhaseTime)}>
                  {ms < 1 ? `${ms.toFixed(2)} ms` : timeText(ms)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(3)}%`;
}
