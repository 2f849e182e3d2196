/** Which status the codes of our own errors have over HTTP. A code that is not here is a fault of ours: 500. */
const STATUS: Readonly<Record<string, number>> = {
  'policy.invalid': 422,
  'store.bad_cursor': 400,
  'store.bad_key': 422,
  'store.bad_limit': 400,
  'store.busy': 503,
  'store.conflict': 409,
  'store.unavailable': 503,
  'task.cursor': 416,
  'task.gone': 404,
  'task.key_conflict': 409,
  'task.limit': 429,
  'task.queue_unavailable': 503,
};

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  408: 'Too slow',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  422: 'Unprocessable',
  428: 'Precondition required',
  429: 'Too many',
  431: 'Headers too large',
  503: 'Unavailable',
};

export function statusOf(code: string): number | undefined {
  return STATUS[code];
}

export function titleOf(status: number): string {
  return TITLES[status] ?? 'Error';
}
