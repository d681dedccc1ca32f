/** The precedence of faults. Each kind of request lists its faults in the order of the API, and every two that can occur together are tried. */

import { afterAll, describe, expect, it } from 'vitest';
import { expectCode } from './testing/expect-code.js';
import { attemptOf, send, stopServers } from './testing/faulty-requests.js';
import { KINDS } from './testing/kinds-of-requests.js';
import { FAULTS, type Fault, type FaultName } from './testing/simultaneous-faults.js';

/** Some faults exclude each other: an absent module has no traits, and there is one source at most. */
function canBeHadTogether(first: FaultName, second: FaultName): boolean {
  const [one, other]: readonly Fault[] = [FAULTS[first], FAULTS[second]];
  if (one?.takes !== undefined && one.takes === other?.takes) return false;
  const ofSubject: readonly FaultName[] = [
    'queryResult',
    'mutationResult',
    'queryBody',
    'forget',
    'checkFails',
    'ruleFails',
    'explanationFails',
  ];
  return !(one?.takes === 'subject' && ofSubject.includes(second));
}

afterAll(stopServers);

for (const [name, kind] of Object.entries(KINDS)) {
  describe(`a request for ${name}`, () => {
    const { faults } = kind;
    it('reports each fault alone, and succeeds without one', async () => {
      for (const fault of faults) {
        const { code, message, apply }: Fault = FAULTS[fault];
        const attempt = attemptOf(kind);
        apply(attempt);
        const answer = await send(kind, attempt);
        expect([fault, answer.body.error?.code]).toEqual([fault, code]);
        expectCode(answer, code, message);
      }
      const answer = await send(kind, attemptOf(kind));
      if (kind.ending !== undefined) expectCode(answer, kind.ending);
      else expect(answer.status).toBeLessThan(300);
    });

    for (const [index, first] of faults.slice(0, -1).entries()) {
      const others = faults.slice(index + 1).filter((second) => canBeHadTogether(first, second));
      it(`reports ${first} before ${others.join(', ')}`, async () => {
        for (const second of others) {
          const { code, message }: Fault = FAULTS[first];
          const attempt = attemptOf(kind);
          for (const fault of [first, second]) FAULTS[fault].apply(attempt);
          const answer = await send(kind, attempt);
          expect([second, answer.body.error?.code, answer.body.error?.message]).toEqual([
            second,
            code,
            expect.stringMatching(message ?? /./),
          ]);
          expectCode(answer, code, message);
        }
      });
    }
  });
}
