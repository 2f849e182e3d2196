const LONGEST = 200;

/**
 * A short piece of what a server said, fit for a message: one line, no control characters, bounded, and without
 * anything that looks like a key (some servers quote the key that they refuse).
 */
export function excerpt(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 4) clean = clean.replaceAll(secret, '***');
  clean = clean
    // Cc and Cf: terminal escapes and direction marks have no place in an error message.
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\b(?:bearer\s+|(?:sk|pk|rk|key|ak)[-_])[A-Za-z0-9_.*-]{6,}/gi, '***')
    .replace(/\bAIza[A-Za-z0-9_-]{10,}/g, '***')
    .replace(/([?&](?:key|token|api[-_]?key|access_token)=)[^&\s]+/gi, '$1***')
    .trim();
  const characters = Array.from(clean.slice(0, LONGEST * 2));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : clean;
}
