/** The errors for which a call was not sent, while they are relevant. */

/** By input path. */
type Errors = Readonly<Record<string, string>>;

/** Always the same object. */
export const NO_ERRORS: Errors = {};

/**
 * The errors of a call that was not sent. `ofExamples` are the errors with the shown example values; if those are valid, the
 * generated values are not.
 */
export function validationErrors(sent: Errors, ofExamples: Errors = NO_ERRORS): Errors {
  const told = ([path, words]: readonly [string, string]) =>
    [
      path,
      Object.hasOwn(ofExamples, path) ? words : `Not sent, because the generated value is invalid: ${words}`,
    ] as const;
  return Object.fromEntries(Object.entries(sent).map(told));
}

/**
 * While nothing changed, all reported errors, because generated values differ each time. After a change, those that remain; new
 * input is not reported before it is complete.
 */
export function remainingErrors(told: Errors = NO_ERRORS, isUntouched: boolean, now: Errors = NO_ERRORS): Errors {
  if (isUntouched) return told;
  const errors = Object.entries(now).filter(([path]) => Object.hasOwn(told, path));
  return errors.length === 0 ? NO_ERRORS : Object.fromEntries(errors);
}
