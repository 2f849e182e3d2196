import { countWords, rank, tellingWords } from './rank.js';
import { tokenise } from './tokenise.js';

describe('tokenise', () => {
  it.each([
    ['words without case and punctuation', 'Use PNPM, not npm!', ['use', 'pnpm', 'not', 'npm']],
    ['accents and compatibility forms', 'Café ﬁle ｘ２', ['cafe', 'file', 'x2']],
    ['names in camel case, whole and in parts', 'parseJSONFile', ['parsejsonfile', 'parse', 'json', 'file']],
    [
      'names with other separators',
      'snake_case kebab-case a.b',
      ['snake', 'case', 'kebab', 'case', 'a', 'b'],
    ],
    ['scripts without blanks, by pairs', '数据库 い', ['数据', '据库', 'い']],
    ['Cyrillic and Greek', 'Тест Δοκιμή', ['тест', 'δοκιμη']],
    ['nothing but signs', '--- !!! 🎉', []],
  ])('takes %s', (_what, text, expected) => {
    expect(tokenise(text)).toEqual(expected);
  });

  it('ends on a word without end', () => {
    expect(tokenise('aB'.repeat(100_000))).toHaveLength(1);
    expect(tokenise('数'.repeat(100_000)).length).toBeLessThan(1_000);
  });
});

describe('rank', () => {
  const texts = [
    'the build runs with make',
    'deploy deploy deploy the service with the deploy script',
    'the service needs a token',
    'deployment happens on fridays',
    'the the the the',
  ];
  const order = (query: string) =>
    rank(tokenise(query), texts, countWords).map(({ item }) => texts.indexOf(item));

  it('puts the text with the rarer and more frequent words first', () => {
    expect(order('deploy service')).toEqual([1, 2, 3]);
  });

  it('finds words that begin like the asked one, behind the word itself', () => {
    expect(order('deploy')).toEqual([1, 3]);
    expect(order('de')).toEqual([]);
  });

  it('counts a word in all texts for little and an unknown one for nothing', () => {
    expect(order('the token')[0]).toBe(2);
    expect(order('unknown')).toEqual([]);
    expect(order('')).toEqual([]);
  });

  it('does not take words for names of the object prototype', () => {
    expect(rank(['constructor', '__proto__'], ['a constructor'], countWords)).toHaveLength(1);
  });

  it('tells the words that set a text apart', () => {
    expect(tellingWords(countWords('the service deploys the token'), texts, countWords, 2)).toEqual([
      'deploys',
      'token',
    ]);
  });
});
