/** In the console's page it stands where the nonce of an answer belongs. */
export const NONCE_PLACE = '__CSP_NONCE__';

/** A picture that is opened by itself is a document of this origin, and a worker has a policy of its own. */
export const FILE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/**
 * What the console may load: files of this origin. A style sheet that its kit or its editor inserts bears the nonce of the page; no script does,
 * so that no text that is shown can become one.
 */
export function consolePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
