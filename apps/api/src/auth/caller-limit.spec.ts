import { CallerLimit } from './caller-limit.js';

describe('the limit of one caller', () => {
  const at = { time: 0 };
  const limit = (perMinute: number): CallerLimit => new CallerLimit({ now: () => at.time }, perMinute);

  it('stops the one who asks too often, for the rest of the minute, and nobody else', () => {
    at.time = 0;
    const three = limit(3);
    for (let count = 0; count < 3; count++) three.take('ada');
    at.time = 20_000;
    expect(() => three.take('ada')).toThrow(
      expect.objectContaining({ status: 429, code: 'request.too_many', headers: { 'retry-after': '40' } }),
    );
    three.take('eve');
    at.time = 60_000;
    three.take('ada');
  });
});
