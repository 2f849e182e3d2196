import { setImmediate as breathe } from 'node:timers/promises';
import { decodeEntities } from './html-entities.js';
import { attributeOf, htmlTokens, type HtmlToken } from './html-tokens.js';
import { maskUrl } from './mask-url.js';

/** Elements of which nothing is meant to be read. */
const SILENT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'canvas',
  'object',
  'select',
]);

const PARAGRAPHS: ReadonlySet<string> = new Set(
  'p div section article main header footer aside nav figure blockquote ul ol dl table form fieldset pre hr h1 h2 h3 h4 h5 h6 address details'.split(
    ' ',
  ),
);
const LINES: ReadonlySet<string> = new Set([
  'br',
  'tr',
  'li',
  'dt',
  'dd',
  'option',
  'caption',
  'summary',
  'legend',
]);

export interface HtmlText {
  readonly title: string;
  readonly text: string;
}

/** Between two breaths: a page of many megabytes must not keep an abort or a deadline waiting. */
const TOKENS_AT_ONCE = 5_000;

/** A page as plain text with the little markup that carries meaning: headings, lists, links, code. */
export async function htmlToText(html: string, base: string, signal: AbortSignal): Promise<HtmlText> {
  const writer = new TextWriter(base);
  let taken = 0;
  for (const token of htmlTokens(html)) {
    writer.take(token);
    taken += 1;
    if (taken % TOKENS_AT_ONCE !== 0) continue;
    await breathe();
    signal.throwIfAborted();
  }
  return writer.finish();
}

class TextWriter {
  readonly #parts: string[] = [];
  #last = '\n\n';
  #title = '';
  #inTitle = false;
  #silent = '';
  #silentDepth = 0;
  #preDepth = 0;
  #pendingBlank = '';
  readonly #links: (string | undefined)[] = [];

  constructor(private readonly base: string) {}

  take(token: HtmlToken): void {
    if (this.#silentDepth > 0) {
      this.skip(token);
      return;
    }
    switch (token.kind) {
      case 'text':
        this.text(decodeEntities(token.text));
        return;
      case 'open':
        this.open(token.name, token.attributes);
        return;
      case 'close':
        this.close(token.name);
        return;
    }
  }

  finish(): HtmlText {
    return { title: this.#title.replace(/\s+/g, ' ').trim(), text: this.#parts.join('').trim() };
  }

  /** Only the element that began the silence, and those of its name inside, are counted: broken markup cannot go on forever. */
  private skip(token: HtmlToken): void {
    if (token.kind === 'text' || token.name !== this.#silent) return;
    if (token.kind === 'close') this.#silentDepth -= 1;
    else if (!token.attributes.endsWith('/')) this.#silentDepth += 1;
  }

  private open(name: string, attributes: string): void {
    if (SILENT.has(name) && !attributes.endsWith('/')) {
      this.#silent = name;
      this.#silentDepth = 1;
      return;
    }
    this.breakFor(name);
    if (name === 'title') this.#inTitle = true;
    else if (/^h[1-6]$/.test(name)) this.mark(`${'#'.repeat(Number(name[1]))} `);
    else if (name === 'li') this.mark('- ');
    else if (name === 'hr') this.mark('---');
    else if (name === 'td' || name === 'th') this.#pendingBlank ||= this.#last.endsWith('\n') ? '' : ' | ';
    else if (name === 'code' && this.#preDepth === 0) this.mark('`');
    else if (name === 'pre') {
      this.mark('```\n');
      this.#preDepth += 1;
    } else if (name === 'a') {
      const target = linkTarget(attributeOf(attributes, 'href'), this.base);
      this.#links.push(target);
      if (target !== undefined) this.mark('[');
    } else if (name === 'img') {
      const alternative = decodeEntities(attributeOf(attributes, 'alt') ?? '').trim();
      if (alternative !== '') this.text(`[image: ${alternative}]`);
    }
  }

  private close(name: string): void {
    if (name === 'title') this.#inTitle = false;
    else if (name === 'code' && this.#preDepth === 0) this.glue('`');
    else if (name === 'pre' && this.#preDepth > 0) {
      this.#preDepth -= 1;
      this.newLines(1);
      this.mark('```');
    } else if (name === 'a' && this.#links.length > 0) {
      const target = this.#links.pop();
      if (target !== undefined) this.glue(`](${target})`);
    }
    this.breakFor(name);
  }

  private text(text: string): void {
    if (this.#inTitle) {
      this.#title += text;
      return;
    }
    if (this.#preDepth > 0) {
      this.put(text);
      return;
    }
    const words = text.replace(/\s+/g, ' ');
    if (words === '' || words === ' ') {
      if (words === ' ') this.blank();
      return;
    }
    if (words.startsWith(' ')) this.blank();
    this.put(this.#pendingBlank + words.trim());
    this.#pendingBlank = words.endsWith(' ') ? ' ' : '';
  }

  private blank(): void {
    if (!this.#last.endsWith('\n')) this.#pendingBlank ||= ' ';
  }

  private mark(text: string): void {
    this.put(this.#pendingBlank + text);
    this.#pendingBlank = '';
  }

  /** What closes something stands right behind it; the blank before it moves behind it. */
  private glue(text: string): void {
    this.put(text);
  }

  private breakFor(name: string): void {
    if (this.#preDepth > 0 && name !== 'br') return;
    if (PARAGRAPHS.has(name)) this.newLines(2);
    else if (LINES.has(name)) this.newLines(1);
  }

  private newLines(count: number): void {
    this.#pendingBlank = '';
    const there = this.#last.endsWith('\n\n') ? 2 : this.#last.endsWith('\n') ? 1 : 0;
    if (there < count) this.put('\n'.repeat(count - there));
  }

  private put(text: string): void {
    if (text === '') return;
    this.#parts.push(text);
    this.#last = (this.#last + text).slice(-2);
  }
}

/** An absolute address worth telling, without what it may carry as a key; undefined for anchors and scripts. */
function linkTarget(href: string | undefined, base: string): string | undefined {
  const written = decodeEntities(href ?? '').trim();
  if (written === '' || written.startsWith('#') || !URL.canParse(written, base)) return undefined;
  const url = new URL(written, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return maskUrl(url.href);
}
