import { QueryClient } from '@tanstack/react-query';
import { connection } from './connection.js';
import { session } from '../session/session.js';
import { ProblemError } from './problem.js';

const FRESH_MS = 10_000;
const MOST_TRIES = 2;

/** What was read, and for how long it is believed. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // Only where the same again may help: a refusal stays one.
      retry: (failures, error) =>
        failures < MOST_TRIES &&
        error instanceof ProblemError &&
        (error.status === 503 || error.status === 429 || error.code === 'api.away'),
    },
    mutations: { retry: false },
  },
});

let away = false;
connection.state.subscribe(() => {
  const there = connection.state.value.is === 'there';
  // It is back: what is shown may have changed meanwhile, and what failed can be had now.
  if (there && away) void queries.invalidateQueries();
  away = !there;
});

let before = session.state.value.is;
session.state.subscribe(() => {
  const { is } = session.state.value;
  if (is === 'signed-in' && before === 'ended') void queries.invalidateQueries();
  // Nothing of one person is kept for the next.
  if (is === 'signed-out') queries.clear();
  before = is;
});
