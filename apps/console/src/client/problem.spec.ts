import { adviceFor } from './advice.js';
import { away, ProblemError, problemIn } from './problem.js';

const problem = (status: number, code: string, detail = 'it does not fit') => ({
  type: 'about:blank',
  title: 'x',
  status,
  code,
  detail,
});

describe('an answer that is an error', () => {
  it('is the problem that the API wrote, with what it has beside', async () => {
    const body = { ...problem(412, 'draft.changed'), current: { etag: 4 } };
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '7' };
    const error = await problemIn(new Response(JSON.stringify(body), { status: 412, headers }));
    expect(error).toMatchObject({
      code: 'draft.changed',
      status: 412,
      retryAfter: 7,
      more: { current: { etag: 4 } },
    });
  });

  it.each(['<html>Bad gateway</html>', '{"error":"no"}', ''])(
    'of a proxy shows nothing of %j',
    async (text) => {
      expect((await problemIn(new Response(text, { status: 502 }))).code).toBe('api.away');
      const other = await problemIn(new Response(text, { status: 418 }));
      expect(other.code).toBe('http.418');
      expect(other.message).not.toContain('html');
    },
  );

  it('always says what happened, and what to do', () => {
    for (const status of [400, 401, 403, 404, 409, 412, 422, 429, 500, 503]) {
      const { title, what, todo } = adviceFor(new ProblemError(problem(status, 'some.code')));
      expect(title).not.toBe('');
      expect(what).toBe('It does not fit.');
      expect(todo).toMatch(/\.$/);
    }
    expect(adviceFor(away())).toMatchObject({ title: 'The server does not answer', retry: true });
  });

  it('offers the same again only where that may help', () => {
    const retry = (status: number): boolean =>
      adviceFor(new ProblemError(problem(status, 'some.code'))).retry;
    expect([401, 403, 404, 409, 412, 422].map(retry)).toEqual([false, false, false, false, false, false]);
    expect([429, 500, 503].map(retry)).toEqual([true, true, true]);
  });
});
