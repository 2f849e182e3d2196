import type { Host } from '../app/host.js';
import type { DiagLine } from '../terminal/report-lines.js';

/** For `diag`: one line about all servers. */
export async function checkServers({ extensions }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const servers = extensions.mcp?.details() ?? [];
  if (servers.length === 0) return { level: 'ok', text: 'none' };
  const troubles = servers.flatMap(({ name, state, message, offered }) => [
    ...(state === 'failed' || state === 'reconnecting' ? [`${name} ${state}: ${message ?? ''}`] : []),
    ...offered.flatMap(({ tool, refused }) =>
      refused === null ? [] : [`${name}: ${tool} is not offered: ${refused}`],
    ),
    ...offered.flatMap(({ tool, changes }) => (changes.length === 0 ? [] : [`${name}: ${tool} changed`])),
  ]);
  if (troubles.length > 0) return { level: 'warn', text: troubles.join(' · '), next: 'wstack mcp list' };
  return { level: 'ok', text: servers.map(({ name, state }) => `${name} ${state}`).join(', ') };
}
