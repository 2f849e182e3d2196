/** What the policy of this page lets style sheets in by. The server writes a fresh one into each page. */
export function styleNonce(): string {
  const meta = document.querySelector('meta[property="csp-nonce"]');
  return meta instanceof HTMLElement ? meta.nonce : '';
}
