/** What tools/start-stack.mjs started, and tells the specs. */
export interface Stack {
  readonly url: string;
  /** Where the browser is driven from. */
  readonly browser: string;
  /** A token a person: ada, mira, edda, dana, otto. */
  readonly tokens: Readonly<Record<string, string>>;
  /** A folder for pictures of the pages. */
  readonly screenshots: string;
  /** How many decisions were in the audit log at the start. */
  readonly rows: number;
}

/** Null where there is no browser, which was said loudly. */
export function stack(): Stack | null {
  const text = process.env['WRONGSTACK_CONSOLE_STACK'];
  // Written by our own start-up, a moment ago.
  return text === undefined || text === '' ? null : (JSON.parse(text) as Stack);
}
