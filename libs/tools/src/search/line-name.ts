/**
 * A file's name for a list with one name a line. One that holds a line break would pass for two files, the second of
 * whoever made it's choosing: it is shown quoted, as in JSON.
 */
export function lineName(path: string): string {
  return /[\n\r\v\f\u0085\u2028\u2029]/.test(path) ? JSON.stringify(path) : path;
}
