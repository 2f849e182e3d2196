const LETTERS = 8;

/** As it is shown on the device, however somebody typed it; null while it is not whole. */
export function codeIn(text: string): string | null {
  const letters = text.replace(/[\s-]/g, '').toUpperCase();
  return /^[A-Z]+$/.test(letters) && letters.length === LETTERS
    ? `${letters.slice(0, 4)}-${letters.slice(4)}`
    : null;
}
