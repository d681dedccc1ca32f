/** Nothing is asked with a token that the server has refused: a page has one token as long as it is loaded. */

/** `fetch`, but once an answer has refused the token, it stands for all that are asked for afterwards. */
export function untilRefused(send: typeof fetch): typeof fetch {
  let refusal: Response | undefined;
  return async (input, init) => {
    if (refusal !== undefined) return refusal.clone();
    const answer = await send(input, init);
    if (answer.status === 403 && (await isOfToken(answer.clone()))) refusal = answer.clone();
    return answer;
  };
}

async function isOfToken(answer: Response): Promise<boolean> {
  try {
    const body = (await answer.json()) as { readonly error?: { readonly details?: { readonly reason?: unknown } } };
    return body.error?.details?.reason === 'token';
  } catch {
    return false;
  }
}
