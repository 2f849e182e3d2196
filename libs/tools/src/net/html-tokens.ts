/**
 * HTML as a flat stream of tags and text. No tree: pages are hostile, and what is wanted is only their words. Every
 * position is looked at once, so the time is linear in the page whatever stands in it.
 */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: string }
  | { readonly kind: 'close'; readonly name: string };

/** Elements whose content is no markup, and ends only at their own closing tag. */
const RAW: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'noscript',
  'iframe',
  'xmp',
]);

export function* htmlTokens(html: string): Generator<HtmlToken, void, undefined> {
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf('<', at);
    if (start === -1) break;
    const next = html.charAt(start + 1);
    if (!/[a-zA-Z/!?]/.test(next)) {
      // A bare `<`, as in `a < b`.
      yield { kind: 'text', text: html.slice(at, start + 1) };
      at = start + 1;
      continue;
    }
    if (start > at) yield { kind: 'text', text: html.slice(at, start) };
    if (next === '!' || next === '?') {
      at = endOfDeclaration(html, start);
      continue;
    }
    const end = endOfTag(html, start);
    const tag = html.slice(start + (next === '/' ? 2 : 1), end - 1);
    const name = /^[a-zA-Z][a-zA-Z0-9:-]*/.exec(tag.slice(0, 40))?.[0].toLowerCase() ?? '';
    at = end;
    if (next === '/') {
      yield { kind: 'close', name };
      continue;
    }
    yield { kind: 'open', name, attributes: tag.slice(name.length) };
    if (!RAW.has(name) || tag.endsWith('/')) continue;
    const close = lower.indexOf(`</${name}`, at);
    const until = close === -1 ? html.length : close;
    yield { kind: 'text', text: html.slice(at, until) };
    at = until;
  }
  if (at < html.length) yield { kind: 'text', text: html.slice(at) };
}

function endOfDeclaration(html: string, start: number): number {
  const [opening, closing] = html.startsWith('<!--', start) ? [4, '-->'] : [2, '>'];
  const end = html.indexOf(closing, start + opening);
  return end === -1 ? html.length : end + closing.length;
}

/** Behind the `>` that is in no quoted attribute value. */
function endOfTag(html: string, start: number): number {
  let quote = '';
  for (let at = start + 1; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && html.charAt(at - 1) === '=') quote = character;
  }
  return html.length + 1;
}

/** The value of one attribute of an opening tag. */
export function attributeOf(attributes: string, name: string): string | undefined {
  for (const match of attributes.matchAll(
    /([^\s"'=<>/]+)(?:\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g,
  )) {
    if (match[1]?.toLowerCase() === name) return match[2] ?? match[3] ?? match[4] ?? '';
  }
  return undefined;
}
