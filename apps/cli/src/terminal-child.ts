import { fileURLToPath } from 'node:url';

/** What we start in an editor's terminal. This file lies one folder below the package, as source and in the bundle. */
export const TERMINAL_CHILD = fileURLToPath(new URL('../bin/terminal-child.cjs', import.meta.url));
