import type { TestApi } from '../test-api.spec-support.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a browser does by itself: keeps cookies, and says from which page something is asked. Its page sends the CSRF token along. */
export class Browser {
  readonly cookies = new Map<string, string>();
  csrf = '';

  constructor(
    private readonly api: TestApi,
    readonly origin = 'http://localhost:3000',
  ) {}

  async request(
    method: Method,
    url: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.api.request(method, url, {
      user: null,
      ...(body === undefined ? {} : { body }),
      headers: {
        host: new URL(this.origin).host,
        ...(method === 'GET' ? {} : { origin: this.origin }),
        'sec-fetch-site': 'same-origin',
        ...(cookie === '' ? {} : { cookie }),
        ...(this.csrf === '' || method === 'GET' ? {} : { 'x-wrongstack-csrf': this.csrf }),
        ...headers,
      },
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) this.#keep(set);
    return answer;
  }

  async signIn(token: string) {
    const answer = await this.request('POST', '/v1/session', { body: { token } });
    const session = answer.body['session'] as { readonly csrf: string } | null | undefined;
    this.csrf = session?.csrf ?? this.csrf;
    return answer;
  }

  #keep(set: string): void {
    const [pair = '', ...attributes] = set.split('; ');
    const at = pair.indexOf('=');
    if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at));
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}
