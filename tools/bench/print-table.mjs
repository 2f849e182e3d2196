/** Columns as wide as their widest cell; the first one stands to the left. */
export function printTable(header, rows) {
  const lines = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** Two places are all that such numbers are good for; what could not be measured is a dash. */
export function shown(value) {
  return typeof value === 'number' ? Math.round(value * 100) / 100 : (value ?? '-');
}
