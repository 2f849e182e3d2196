import { decodeEntities } from './html-entities.js';
import { htmlToText } from './html-text.js';

const { signal } = new AbortController();
const text = async (html: string) => (await htmlToText(html, 'https://h.test/docs/', signal)).text;

describe('htmlToText', () => {
  it('keeps what carries meaning: headings, paragraphs, lists, links, code, tables', async () => {
    const page = await htmlToText(
      `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style><script>if (a < b) alert("</p>")</script></head>
      <body><h1>Top</h1><p>One <b>bold</b>
      line with a <a href="../x?q=1&amp;r=2">link</a>.</p><ul><li>first</li><li>second <code>x = 1</code></li></ul>
      <pre>a
  b &lt; c</pre><table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table><img src=x alt="A cat"><p>end</p></body></html>`,
      'https://h.test/docs/',
      signal,
    );
    expect(page.title).toBe('A & B');
    expect(page.text).toBe(
      [
        '# Top',
        '',
        'One bold line with a [link](https://h.test/x?q=1&r=2).',
        '',
        '- first',
        '- second `x = 1`',
        '',
        '```',
        'a',
        '  b < c',
        '```',
        '',
        'k | v',
        '1 | 2',
        '',
        '[image: A cat]',
        '',
        'end',
      ].join('\n'),
    );
  });

  it.each([
    ['comments, also those that hold tags', 'a<!-- <p>no</p> -->b', 'ab'],
    ['a bare less-than sign', 'if a < b && c > d', 'if a < b && c > d'],
    [
      'templates, SVG and frames',
      '<template><p>no</p></template><svg><title>no</title></svg><iframe>no</iframe>yes',
      'yes',
    ],
    ['silence inside of silence', '<svg><svg>no</svg>no</svg>yes', 'yes'],
    ['attributes that hold angle brackets', '<p title="a > b">text</p>', 'text'],
    [
      'addresses that are no place to go',
      '<a href="javascript:x()">a</a> <a href="#top">b</a> <a>c</a>',
      'a b c',
    ],
    ['keys in links', '<a href="/dl?token=abc">file</a>', '[file](https://h.test/dl?token=***)'],
    ['closing tags without an opening', '</div></a></pre></svg>text', 'text'],
    ['an unclosed tag', 'text<p class="', 'text'],
    ['an unclosed script', 'text<script>var a', 'text'],
  ])('copes with %s', async (_what, html, expected) => {
    expect(await text(html)).toBe(expected);
  });

  it.each([
    ['opening brackets', '<'.repeat(300_000)],
    ['unclosed tags', '<a '.repeat(100_000)],
    ['open comments', '<!--'.repeat(100_000)],
    ['open scripts', '<script>'.repeat(50_000)],
    ['quotes', `<a href="${'"<a href="'.repeat(50_000)}`],
    ['ampersands', '&'.repeat(300_000)],
    ['nested elements', '<div>'.repeat(100_000)],
    ['blanks in an attribute', `<a ${' '.repeat(300_000)}href>x`],
  ])('ends on %s without end', async (_what, html) => {
    expect(typeof (await text(html))).toBe('string');
  });

  it('can be interrupted in the middle of a large page', async () => {
    const controller = new AbortController();
    const work = htmlToText('<li>x'.repeat(500_000), 'https://h.test/', controller.signal);
    controller.abort();
    await expect(work).rejects.toThrow('aborted');
  });
});

describe('decodeEntities', () => {
  it.each([
    ['&lt;p&gt; &quot;x&quot; &#39;y&#x27; &nbsp;|', '<p> "x" \'y\'  |'],
    ['&unknown; & &amp;amp;', '&unknown; & &amp;'],
    ['&#0;&#xD800;&#x110000;', '\ufffd\ufffd\ufffd'],
    ['&constructor;&toString;', '&constructor;&toString;'],
    ['&#128512;', '😀'],
  ])('%s', (given, expected) => {
    expect(decodeEntities(given)).toBe(expected);
  });
});
