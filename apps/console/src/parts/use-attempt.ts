import { useState } from 'react';
import { ProblemError } from '../client/problem.js';

/**
 * Sends with a key for `Idempotency-Key`: a repeated click, or one after an answer that never came, makes one thing. Once it was
 * done or refused, what is sent next is something else.
 */
export type Attempt = <Answer>(send: (key: string) => Promise<Answer>) => Promise<Answer>;

export function useAttempt(): Attempt {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return async (send) => {
    try {
      const answer = await send(key);
      setKey(crypto.randomUUID());
      return answer;
    } catch (failure) {
      const unanswered = failure instanceof ProblemError && failure.code === 'api.away';
      if (!unanswered) setKey(crypto.randomUUID());
      throw failure;
    }
  };
}
