import type { ProblemError } from './problem.js';

/** What a person reads about a problem: what happened, and what to do now. */
export interface Advice {
  readonly title: string;
  readonly what: string;
  readonly todo: string | null;
  /** Would the same again help? */
  readonly retry: boolean;
}

const BY_CODE: Readonly<Record<string, Omit<Advice, 'what'> & { readonly what?: string }>> = {
  'api.away': {
    title: 'The server does not answer',
    what: 'Nothing was lost: what you typed is still here.',
    todo: 'It is asked again by itself. If that lasts, look whether the API runs and whether you are on the network.',
    retry: true,
  },
  'approval.closed': {
    title: 'Already decided',
    todo: 'Somebody was quicker, or you have answered before. The list shows how it ended.',
    retry: false,
  },
  'approval.own_request': {
    title: 'Your own request',
    todo: 'Somebody else has to answer it.',
    retry: false,
  },
  'approval.not_asked': {
    title: 'You were not asked',
    todo: 'The rule names who may answer; you are not among them.',
    retry: false,
  },
  'session.token_refused': {
    title: 'This token does not work here',
    todo: 'Look whether it was copied whole. An admin, or whoever runs the API, can make another one.',
    retry: false,
  },
  'session.not_a_person': {
    title: 'Not a token of a person',
    todo: 'The console is for people: use a token of your own.',
    retry: false,
  },
  'session.insecure': {
    title: 'Not over a safe connection',
    todo: 'Open the console by its https address, or on the machine itself by 127.0.0.1.',
    retry: false,
  },
  'request.changed_meanwhile': {
    title: 'Changed meanwhile',
    todo: 'Look at what changed, then save again.',
    retry: false,
  },
  'audit.not_explainable': {
    title: 'Not enough was recorded to explain it',
    todo: 'Below is what there is.',
    retry: false,
  },
  'console.fault': {
    title: 'This page made a mistake',
    todo: 'Load it again. If it stays, report it with these words.',
    retry: false,
  },
  'console.not_built': {
    title: 'The console is not built',
    todo: 'Run npm run build where the API runs.',
    retry: false,
  },
};

export function adviceFor(error: ProblemError): Advice {
  const { problem, retryAfter } = error;
  const known = Object.hasOwn(BY_CODE, problem.code) ? BY_CODE[problem.code] : undefined;
  const what = sentence(problem.detail);
  if (known !== undefined) return { what, ...known };
  switch (problem.status) {
    case 401:
      return { title: 'Not signed in', what, todo: 'Sign in again.', retry: false };
    case 403:
      return {
        title: 'Not allowed',
        what,
        todo: 'Your roles do not allow it. An admin can change them.',
        retry: false,
      };
    case 404:
      return {
        title: 'Not there',
        what,
        todo: 'It may have been removed, or is not yours to see.',
        retry: false,
      };
    case 409:
      return { title: 'Conflict', what, todo: 'Look at how it is now, then decide again.', retry: false };
    case 412:
      return {
        title: 'Changed meanwhile',
        what,
        todo: 'Look at what changed, then save again.',
        retry: false,
      };
    case 400:
    case 422:
      return { title: 'Something does not fit', what, todo: 'Correct it and send it again.', retry: false };
    case 429:
      return {
        title: 'Too many requests',
        what,
        todo: retryAfter === null ? 'Wait a moment.' : `Wait ${retryAfter} s, then try again.`,
        retry: true,
      };
    case 503:
      return { title: 'Not available for now', what, todo: 'Try again in a moment.', retry: true };
    default:
      return {
        title: 'Something went wrong on the server',
        what,
        todo: 'Try again. If it stays, give the request id to whoever runs the API.',
        retry: true,
      };
  }
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}
