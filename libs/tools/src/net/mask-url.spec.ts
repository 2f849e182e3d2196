import { maskUrl } from './mask-url.js';

describe('maskUrl', () => {
  it.each([
    ['http://127.0.0.1:1/v1?key=AIzaSyA-0123456789abcdefghijklmnopqrstu', 'http://127.0.0.1:1/v1?key=***'],
    ['https://h/a?x=1&api_key=abc&y=2', 'https://h/a?x=1&api_key=***&y=2'],
    ['https://h/a?X-Amz-Signature=00ff&X-Amz-Date=1', 'https://h/a?X-Amz-Signature=***&X-Amz-Date=1'],
    ['https://h/a?ACCESS-TOKEN=abc', 'https://h/a?ACCESS-TOKEN=***'],
    ['https://h/a?clientSecret=abc', 'https://h/a?clientSecret=***'],
    ['https://h/a?%6bey=abc', 'https://h/a?%6bey=***'],
    ['https://h/cb#access_token=abc&state=1', 'https://h/cb#access_token=***&state=1'],
    ['https://user:pw@h/a', 'https://***@h/a'],
    ['https://ghp_0123456789012345678901234@h/', 'https://***@h/'],
    ['https://h/bot/sk-abcdefghijklmnopqrst/send', 'https://h/bot/***/send'],
    ['not a url?token=abc', 'not a url?token=***'],
    ['http://a b/?key=abc', 'http://a b/?key=***'],
  ])('%s → %s', (address, shown) => {
    expect(maskUrl(address)).toBe(shown);
  });

  it.each([
    'https://h/search?q=monkey&page=2&tokens=512',
    'https://h/@scope/name?keyword=x',
    'https://h/commit/0123456789abcdef0123456789abcdef01234567',
    '',
  ])('leaves %j as it is', (address) => {
    expect(maskUrl(address)).toBe(address);
  });

  it('bounds what it shows', () => {
    expect(maskUrl(`https://h/${'a'.repeat(100_000)}`)).toHaveLength(501);
  });
});
