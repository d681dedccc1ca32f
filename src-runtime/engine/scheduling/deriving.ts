/** The deadline of an evaluation: it names the rule if time or memory run out. */

import { type Deadline, DeadlineExceeded } from '../../base/ports.js';
import { EvaluationFault } from '../errors.js';

/** Checkpoints between two looks at the memory, which cost a microsecond each. */
const MEMORY_INTERVAL = 4;

/**
 * Throws an EvaluationFault of kind `memory` if the process is short of memory. `mayBeEndless` is for a rule whose kept values may get
 * better without end.
 */
export function derivingDeadline(deadline: Deadline, rule: string, mayBeEndless = false): Deadline {
  let untilLook = MEMORY_INTERVAL;
  return {
    checkpoint() {
      untilLook -= 1;
      if (untilLook === 0) {
        untilLook = MEMORY_INTERVAL;
        if ((deadline.memoryLeft?.() ?? 1) <= 0) throw shortOfMemory(rule);
      }
      try {
        return deadline.checkpoint();
      } catch (error) {
        if (!(error instanceof DeadlineExceeded) || error.rule !== undefined) throw error;
        throw new DeadlineExceeded(error.budgetMs, rule, mayBeEndless);
      }
    },
  };
}

function shortOfMemory(path: string): EvaluationFault {
  const message = 'it needs more memory than the server may use (--memory-limit)';
  return new EvaluationFault('memory', message, { path });
}
