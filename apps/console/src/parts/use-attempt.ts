import { useState } from 'react';
import { ProblemError } from '../client/problem.js';

export interface Attempt {
  /** For `Idempotency-Key`: a repeated click, or one after an answer that never came, makes one thing. */
  readonly key: string;
  /** It was done, or refused: what is sent next is something else. */
  readonly over: (failure?: unknown) => void;
}

export function useAttempt(): Attempt {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return {
    key,
    over: (failure) => {
      const unanswered = failure instanceof ProblemError && failure.code === 'api.away';
      if (!unanswered) setKey(crypto.randomUUID());
    },
  };
}
