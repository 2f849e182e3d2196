import fc from 'fast-check';
import { CanonicalGaps } from './canonical-gaps.js';
import { canonicalJson } from './canonical-json.js';

const GAPS = ['now', 'actor', 'a "quoted" name'] as const;

describe('canonical JSON with gaps', () => {
  it('is, when they are filled, what the whole object is', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.tuple(fc.jsonValue(), fc.jsonValue(), fc.jsonValue()),
        (rest, [now, actor, quoted]) => {
          const members = { now, actor, 'a "quoted" name': quoted };
          const texts = {
            now: canonicalJson(now),
            actor: canonicalJson(actor),
            'a "quoted" name': canonicalJson(quoted),
          };
          expect(new CanonicalGaps(rest, GAPS).fill(texts)).toBe(canonicalJson({ ...rest, ...members }));
        },
      ),
    );
  });

  it('does not say what the object held there before, and leaves out what is undefined', () => {
    const gaps = new CanonicalGaps({ b: 1, now: 'then', c: undefined }, ['now']);
    expect(gaps.fill({ now: '2' })).toBe('{"b":1,"now":2}');
    expect(new CanonicalGaps({}, ['now']).fill({ now: '2' })).toBe('{"now":2}');
  });
});
