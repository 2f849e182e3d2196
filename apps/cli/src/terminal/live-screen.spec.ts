import { line, type Line } from './lines.js';
import { LiveScreen } from './live-screen.js';
import { PlainScreen } from './plain-screen.js';
import { createTheme } from './theme.js';
import { CAPS } from './testing/fixtures.js';
import { ManualTime } from './testing/manual-time.js';
import { TerminalModel } from './testing/terminal-model.js';

const caps = { ...CAPS, columns: 30, rows: 8 };
const rowsOf = (...texts: string[]): Line[] => texts.map((text) => line(text));

function live() {
  const time = new ManualTime();
  const terminal = new TerminalModel(30, 8);
  const screen = new LiveScreen({
    output: terminal,
    caps,
    theme: createTheme(caps),
    clock: time,
    scheduler: time.scheduler,
  });
  return { time, terminal, screen };
}

describe('the live screen', () => {
  it('prints above and keeps the region below', () => {
    const { time, terminal, screen } = live();
    screen.setRegion({ lines: rowsOf('---', '> a', 'status'), cursor: { row: 1, column: 3 } });
    screen.print(rowsOf('first'));
    time.advance(0);
    screen.print(rowsOf('second', 'third'));
    time.advance(100);
    expect(terminal.visible()).toEqual(['first', 'second', 'third', '---', '> a', 'status']);
    expect(terminal.cursor()).toEqual({ row: 4, column: 3 });
  });

  it('writes changed rows only', () => {
    const { time, terminal, screen } = live();
    screen.setRegion({ lines: rowsOf('spin 1', '> a', 'status'), cursor: { row: 1, column: 3 } });
    time.advance(100);
    terminal.bytes = '';
    screen.setRegion({ lines: rowsOf('spin 2', '> a', 'status'), cursor: { row: 1, column: 3 } });
    time.advance(100);
    expect(terminal.bytes).toBe('\x1b[1A\rspin 2\x1b[K\x1b[1B\r\x1b[3C');
    expect(terminal.visible()).toEqual(['spin 2', '> a', 'status']);
  });

  it('writes nothing at all when nothing changed', () => {
    const { time, terminal, screen } = live();
    const region = { lines: rowsOf('> a'), cursor: { row: 0, column: 3 } };
    screen.setRegion(region);
    time.advance(100);
    terminal.bytes = '';
    screen.setRegion(region);
    time.advance(100);
    expect(terminal.bytes).toBe('');
  });

  it('paints at most ten times a second, and the last state always', () => {
    const { time, terminal, screen } = live();
    let writes = 0;
    const write = terminal.write.bind(terminal);
    terminal.write = (text) => {
      writes += 1;
      write(text);
    };
    for (let step = 0; step <= 1_000; step += 5) {
      screen.setRegion({ lines: rowsOf(`step ${step}`), cursor: null });
      time.advance(5);
    }
    time.advance(100);
    expect(writes).toBeLessThanOrEqual(12);
    expect(terminal.visible()).toEqual(['step 1000']);
  });

  it('shows the end of a region that is taller than the screen', () => {
    const { time, terminal, screen } = live();
    screen.setRegion({
      lines: rowsOf(...'a b c d e f g h i j k l'.split(' ')),
      cursor: { row: 11, column: 1 },
    });
    time.advance(100);
    expect(terminal.visible()).toEqual('f g h i j k l'.split(' '));
  });

  it('clips rows so that the terminal never wraps them', () => {
    const { time, terminal, screen } = live();
    screen.setRegion({ lines: rowsOf('日本語'.repeat(20), 'x'), cursor: { row: 1, column: 0 } });
    time.advance(100);
    expect(terminal.visible()).toEqual(['日本語日本語日本語日本語日本…', 'x']);
  });

  it('hides the cursor when nobody writes, and shows it at the end', () => {
    const { time, terminal, screen } = live();
    screen.setRegion({ lines: rowsOf('x'), cursor: null });
    time.advance(100);
    expect(terminal.bytes).toContain('\x1b[?25l');
    screen.close();
    expect(terminal.bytes.endsWith('\x1b[?25h')).toBe(true);
    expect(terminal.visible()).toEqual([]);
  });

  it('never uses the alternate screen, clears the scrollback, or asks the terminal anything', () => {
    const { time, terminal, screen } = live();
    screen.print(rowsOf('a'));
    screen.setRegion({ lines: rowsOf('b'), cursor: { row: 0, column: 0 } });
    time.advance(100);
    screen.resize({ ...caps, columns: 20 });
    time.advance(100);
    screen.close();
    // The model throws on every sequence it does not know; what is left is what may appear.
    expect([...new Set(terminal.bytes.match(/\x1b\[[?0-9;]*[A-Za-z]/g))].sort()).toEqual([
      '\x1b[J',
      '\x1b[K',
    ]);
  });

  it('agrees with the terminal after any sequence of prints and regions', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const { time, terminal, screen } = live();
    const printed: string[] = [];
    for (let step = 0; step < 400; step += 1) {
      const prints = Array.from({ length: random(4) }, (_, index) => `t${step}.${index}`);
      if (prints.length > 0) screen.print(rowsOf(...prints));
      printed.push(...prints);
      const height = 1 + random(7);
      const region = Array.from({ length: height }, (_, index) => `r${index} ${random(3)}`);
      const cursor = { row: random(height), column: random(4) };
      screen.setRegion({ lines: rowsOf(...region), cursor });
      time.advance(100);
      expect(terminal.everything().filter((row) => row !== '')).toEqual([...printed, ...region]);
      const at = terminal.cursor();
      expect(terminal.visible()[at.row]).toBe(region[cursor.row]);
      expect(at.column).toBe(cursor.column);
    }
  });
});

describe('the plain screen', () => {
  function plain() {
    const time = new ManualTime();
    const plainCaps = { ...CAPS, plain: true, color: false };
    let written = '';
    const output = { write: (text: string) => (written += text) };
    const screen = new PlainScreen({
      output,
      theme: createTheme(plainCaps),
      clock: time,
      scheduler: time.scheduler,
    });
    return { time, screen, written: () => written };
  }

  it('writes lines and never an escape', () => {
    const { screen, written } = plain();
    screen.print([
      [
        { text: 'DESTRUCTIVE', tone: 'loud' },
        { text: ' bold', tone: 'strong' },
      ],
    ]);
    screen.setRegion();
    expect(written()).toBe('DESTRUCTIVE bold\n');
  });

  it('says what it waits for once in 30 seconds', () => {
    const { time, screen, written } = plain();
    for (let second = 0; second < 95; second += 1) {
      screen.waiting(`bash npm test, ${second} s`);
      time.advance(1_000);
    }
    expect(written()).toBe(
      'note: bash npm test, 29 s\nnote: bash npm test, 59 s\nnote: bash npm test, 89 s\n',
    );
    screen.waiting(null);
    time.advance(60_000);
    expect(written().split('\n')).toHaveLength(4);
  });
});
