import type { TerminalIo } from '../terminal/terminal-options.js';

/** The real terminal. */
export function terminalIo(): TerminalIo {
  const { stdin, stdout } = process;
  return {
    input: stdin,
    output: stdout,
    onResize(listener) {
      const onResize = (): void => listener({ columns: stdout.columns, rows: stdout.rows });
      stdout.on('resize', onResize);
      return () => void stdout.off('resize', onResize);
    },
  };
}
