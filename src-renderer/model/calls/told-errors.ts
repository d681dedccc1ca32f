/** What a call was not sent for, as long as it is worth telling. */

/** By the path of the input. */
type Errors = Readonly<Record<string, string>>;

/** The same object every time. */
export const NO_ERRORS: Errors = {};

/** What is told as a call was not sent, `ofExamples` being what was wrong with the examples that its fields show: where they fit, what was made does not. */
export function toldOf(sent: Errors, ofExamples: Errors = NO_ERRORS): Errors {
  const told = ([path, words]: readonly [string, string]) =>
    [
      path,
      Object.hasOwn(ofExamples, path) ? words : `Not sent, because the generated value is invalid: ${words}`,
    ] as const;
  return Object.fromEntries(Object.entries(sent).map(told));
}

/**
 * Of what was told, all while nothing has been typed since, as what is made for a call is another in each look at it. Behind that what is
 * wrong now; what is begun since is not told of before it is finished.
 */
export function stillWrong(told: Errors = NO_ERRORS, isUntouched: boolean, now: Errors = NO_ERRORS): Errors {
  if (isUntouched) return told;
  const errors = Object.entries(now).filter(([path]) => Object.hasOwn(told, path));
  return errors.length === 0 ? NO_ERRORS : Object.fromEntries(errors);
}
