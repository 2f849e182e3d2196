import { WrongStackError } from '@wrongstack/contracts';
import type { Config, ToolSettings } from '@wrongstack/contracts';
import { isRecord } from './config-layer.js';
import type { ConfigLayer } from './config-layer.js';

export interface ProjectLayer {
  readonly layer: ConfigLayer;
  /** Keys that a repository may not set, or set to something that does not tighten; shown to the person. */
  readonly ignored: readonly string[];
}

/**
 * What a repository's own file may contribute: an allow-list. It came with code that nobody has read yet, so it can lower
 * limits and tighten tools, and nothing else: no URL, key, plugin, hook or server, and nothing that loosens.
 */
export function projectLayer(raw: unknown, above: Config, file: string): ProjectLayer {
  if (raw === null) return { layer: {}, ignored: [] };
  if (!isRecord(raw)) {
    // Like unreadable text: what it wanted to tighten is unknown, so going on without it would loosen.
    throw new WrongStackError('config.invalid', `${file}: must be a JSON object`, {
      hint: 'correct it or remove the file',
    });
  }
  const ignored: string[] = [];
  const layer: Record<string, unknown> = {};
  for (const [section, value] of Object.entries(raw)) {
    if (section === '$schema') continue;
    if (section === 'tools' && isRecord(value)) layer['tools'] = tightenedTools(value, above, ignored);
    else if (section === 'agent' && isRecord(value)) layer['agent'] = loweredLimits(value, above, ignored);
    else ignored.push(...leafKeys(section, value));
  }
  return { layer, ignored };
}

function loweredLimits(
  agent: Readonly<Record<string, unknown>>,
  above: Config,
  ignored: string[],
): Record<string, unknown> {
  const limits: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(agent)) {
    if (key === 'maxIterations' && isCount(value) && value <= above.agent.maxIterations) limits[key] = value;
    else ignored.push(`agent.${key}`);
  }
  return limits;
}

function tightenedTools(
  tools: Readonly<Record<string, unknown>>,
  above: Config,
  ignored: string[],
): Record<string, ToolSettings> {
  const tightened: Record<string, ToolSettings> = {};
  for (const [name, wanted] of Object.entries(tools)) {
    if (!isRecord(wanted) || name === '__proto__') {
      ignored.push(`tools.${name}`);
      continue;
    }
    const present = Object.hasOwn(above.tools, name) ? above.tools[name] : undefined;
    const accepted = Object.entries(wanted).filter(([key, value]) => {
      const tighter = isTighter(key, value, present);
      if (!tighter) ignored.push(`tools.${name}.${key}`);
      return tighter;
    });
    if (accepted.length > 0) tightened[name] = Object.fromEntries(accepted);
  }
  return tightened;
}

function isTighter(key: string, value: unknown, present: ToolSettings | undefined): boolean {
  switch (key) {
    case 'permission':
      return value === 'deny' || (value === 'confirm' && present?.permission !== 'deny');
    case 'riskTier':
      return value === 'destructive' || (value === 'standard' && present?.riskTier !== 'destructive');
    case 'timeoutMs':
    case 'maxOutputBytes':
      return isCount(value) && value <= (present?.[key] ?? Infinity);
    default:
      return false;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

function leafKeys(section: string, value: unknown): readonly string[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [section];
  return Object.keys(value).map((key) => `${section}.${key}`);
}
