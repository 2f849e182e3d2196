import type { Decision } from '@wrongstack/contracts';
import type { CreateExceptionRequest } from '@wrongstack/contracts/wire';
import { EventBus } from '@wrongstack/kernel';
import type { Host } from '../app/host.js';
import { DENIED, decision } from '../terminal/testing/fixtures.js';
import { askException, RecentDenials } from './ask-exception.js';

describe('/policy ask', () => {
  const asked: CreateExceptionRequest[] = [];
  beforeEach(() => asked.splice(0));

  /** Denials as a session has seen them. */
  function seen(...decisions: readonly Decision[]): RecentDenials {
    const events = new EventBus();
    // Only the bus of the kernel is listened to.
    const denials = new RecentDenials({ kernel: { events } } as unknown as Host);
    const origin = { session: 's-1', run: 'r-1', agent: 'main', call: 'c-1', name: 'bash' };
    // The origin's ids are plain text here; nothing but the decision is read.
    for (const one of decisions) events.emit('tool.decided', { ...origin, decision: one } as never);
    return denials;
  }

  const enrolled = {
    identity: {},
    client: {
      requestException: async (request: CreateExceptionRequest) => {
        asked.push(request);
        return { id: 'er-1' };
      },
    },
  };
  // Of an enrolled client only who it is and this one request are used.
  const host = (centre: unknown) => ({ centre }) as Pick<Host, 'centre'>;

  it('asks the rule’s owners, with the reason and exactly that decision', async () => {
    const answer = await askException(host(enrolled), seen(DENIED), DENIED.id, ['"the', 'node', 'hangs"']);
    expect(answer).toBe('asked for an exception from no-prod-kube: er-1');
    expect(asked).toEqual([
      expect.objectContaining({
        decision: DENIED.id,
        digest: DENIED.approvalDigest,
        rule: 'no-prod-kube',
        document: 'payments',
        revision: 42,
        reason: 'the node hangs',
      }),
    ]);
  });

  const own = decision({
    verdict: 'deny',
    by: { kind: 'rule', id: 'mine', tier: 'user', document: 'm', revision: 1 },
  });

  it.each<[string, Decision, string | undefined, readonly string[], unknown, RegExp]>([
    ['no id', DENIED, undefined, ['why'], enrolled, /^no denial/],
    [
      'an id that nobody has seen',
      DENIED,
      'd-other',
      ['why'],
      enrolled,
      /^no denial d-other in this session/,
    ],
    ['no reason', DENIED, DENIED.id, [], enrolled, /^no reason/],
    ['an empty reason', DENIED, DENIED.id, ['""'], enrolled, /^no reason/],
    ['nobody to ask', DENIED, DENIED.id, ['why'], null, /^nobody can be asked/],
    [
      'somebody who is not logged in',
      DENIED,
      DENIED.id,
      ['why'],
      { ...enrolled, identity: null },
      /^nobody can be asked/,
    ],
    ['a rule of one’s own', own, own.id, ['why'], enrolled, /was not denied by a central rule/],
  ])('says what is missing with %s, and asks nobody', async (_what, denied, id, words, centre, message) => {
    await expect(askException(host(centre), seen(denied), id, words)).rejects.toMatchObject({
      code: 'exception.none',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(asked).toEqual([]);
  });

  it('knows only what was denied', async () => {
    const allowed = decision({ verdict: 'allow' });
    await expect(askException(host(enrolled), seen(allowed), allowed.id, ['why'])).rejects.toMatchObject({
      message: expect.stringMatching(/^no denial/),
    });
  });
});
