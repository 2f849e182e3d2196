/** A Content-Type header, taken apart. */
export interface MediaType {
  /** Lower case, like `text/html`; empty when the server said nothing. */
  readonly type: string;
  readonly charset: string | undefined;
}

export type BodyKind = 'html' | 'text' | 'binary';

const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-javascript|typescript|graphql|sql|x-sh|x-ndjson|ndjson|jsonl|x-www-form-urlencoded|.*\+json|.*\+xml)|image\/svg\+xml|message\/.*)$/;

export function readMediaType(header: string | undefined): MediaType {
  const [type = '', ...parameters] = (header ?? '').slice(0, 500).split(';');
  let charset: string | undefined;
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim().toLowerCase() === 'charset') charset ??= value.trim().replace(/^["']|["']$/g, '');
  }
  return { type: type.trim().toLowerCase().slice(0, 100), charset: charset === '' ? undefined : charset };
}

/** What the body is: by its type where the server names one that is known, and by its first bytes otherwise. */
export function kindOfBody(media: MediaType, start: Uint8Array): BodyKind {
  if (media.type === 'text/html' || media.type === 'application/xhtml+xml') return 'html';
  if (hasByteOrderMark(start)) return 'text';
  // A NUL byte is no text in any other encoding that servers send, whatever they call it.
  if (start.includes(0)) return 'binary';
  if (TEXT_TYPE.test(media.type)) return 'text';
  if (media.type !== '' && media.type !== 'application/octet-stream') return 'binary';
  return looksLikeUtf8(start) ? 'text' : 'binary';
}

function hasByteOrderMark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

function looksLikeUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Bytes to text: by byte order mark, then the server's word, then the page's own, then UTF-8. */
export function decodeBody(bytes: Uint8Array, media: MediaType, kind: BodyKind): string {
  const named = markedEncoding(bytes) ?? media.charset ?? (kind === 'html' ? metaCharset(bytes) : undefined);
  const decoder = decoderFor(named);
  const text = decoder.decode(bytes);
  // Some versions of Node take windows-1252 for Latin-1, which has control characters where that has quotes and dashes.
  return decoder.encoding === 'windows-1252'
    ? text.replace(C1, (c) => WINDOWS_1252.charAt(c.charCodeAt(0) - 0x80))
    : text;
}

const C1 = /[\x80-\x9f]/g;
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** `<meta charset>` must stand within a page's first 1024 bytes. */
function metaCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /<meta[^>]{0,200}?charset\s{0,5}=\s{0,5}["']?\s{0,5}([\w:.-]{1,40})/i.exec(head)?.[1];
}

function decoderFor(label: string | undefined): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label ?? 'utf-8');
  } catch {
    // A charset that nobody knows: UTF-8 shows at least its ASCII part.
    return new TextDecoder('utf-8');
  }
}
