/** A part of the page that is no longer on the server: a newer console was put there since this tab was opened. */
export function isStaleBuild(error: Error): boolean {
  return /dynamically imported module|importing a module script|error loading dynamically|preload CSS/i.test(
    error.message,
  );
}
