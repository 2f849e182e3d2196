import { TOOL_NAME, WrongStackError } from '@wrongstack/contracts';
import type { Config, ToolSettings } from '@wrongstack/contracts';
import { editDistance } from '../execution/near-names.js';
import { isRecord } from './config-layer.js';
import type { ConfigLayer } from './config-layer.js';

export interface ProjectLayer {
  readonly layer: ConfigLayer;
  /** Keys that a repository may not set, or set to something that does not tighten; shown to the person. */
  readonly ignored: readonly string[];
}

/**
 * What a repository's own file may contribute: an allow-list. It came with code that nobody has read yet, so it can lower
 * limits and tighten tools, and nothing else: no URL, key, plugin, hook or server, and nothing that loosens. `raw` is
 * undefined where there is no file. Throws `config.invalid` for what was meant to tighten and says no such thing: what it
 * wanted is unknown, so going on without it would loosen.
 */
export function projectLayer(raw: unknown, above: Config, file: string): ProjectLayer {
  return raw === undefined ? { layer: {}, ignored: [] } : new ProjectReading(above, file).read(raw);
}

class ProjectReading {
  private readonly ignored: string[] = [];

  constructor(
    private readonly above: Config,
    private readonly file: string,
  ) {}

  read(raw: unknown): ProjectLayer {
    const layer: Record<string, unknown> = {};
    for (const [section, value] of Object.entries(this.objectAt('', raw))) {
      if (section === '$schema') continue;
      if (section === 'tools') layer['tools'] = this.tightenedTools(this.objectAt('tools', value));
      else if (section === 'agent') layer['agent'] = this.loweredLimits(this.objectAt('agent', value));
      else {
        this.refuseMisspelt('', section, ['tools', 'agent']);
        this.ignored.push(...leafKeys(section, value));
      }
    }
    return { layer, ignored: this.ignored };
  }

  private loweredLimits(agent: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const limits: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(agent)) {
      if (key !== 'maxIterations') this.refuseMisspelt('agent.', key, ['maxIterations']);
      else if (this.countAt('agent.maxIterations', value) <= this.above.agent.maxIterations) {
        limits[key] = value;
        continue;
      }
      this.ignored.push(`agent.${key}`);
    }
    return limits;
  }

  private tightenedTools(tools: Readonly<Record<string, unknown>>): Record<string, ToolSettings> {
    const tightened: Record<string, ToolSettings> = {};
    for (const [name, wanted] of Object.entries(tools)) {
      if (!TOOL_NAME.test(name)) {
        throw this.refusal(`tools.${name}`, `names no tool: names are of a-z, 0-9, _ and -`);
      }
      const present = Object.hasOwn(this.above.tools, name) ? this.above.tools[name] : undefined;
      const settings = this.objectAt(`tools.${name}`, wanted);
      const accepted = Object.entries(settings).filter(([key, value]) => {
        const tighter = this.isTighter(`tools.${name}.`, key, value, present);
        if (!tighter) this.ignored.push(`tools.${name}.${key}`);
        return tighter;
      });
      if (accepted.length > 0) tightened[name] = Object.fromEntries(accepted);
    }
    return tightened;
  }

  private isTighter(at: string, key: string, value: unknown, present: ToolSettings | undefined): boolean {
    switch (key) {
      case 'permission':
        return this.isStricter(at + key, value, ['auto', 'confirm', 'deny'], present?.permission);
      case 'riskTier':
        return this.isStricter(at + key, value, ['safe', 'standard', 'destructive'], present?.riskTier);
      case 'timeoutMs':
      case 'maxOutputBytes':
        return this.countAt(at + key, value) <= (present?.[key] ?? Infinity);
      default:
        this.refuseMisspelt(at, key, ['permission', 'riskTier', 'timeoutMs', 'maxOutputBytes']);
        return false;
    }
  }

  /** `scale` begins with what tightens nothing. */
  private isStricter(at: string, value: unknown, scale: readonly string[], present = ''): boolean {
    const rank = scale.findIndex((word) => word === value);
    if (rank === -1) throw this.refusal(at, `must be one of ${scale.slice(1).join(', ')}`);
    return rank >= Math.max(1, scale.indexOf(present));
  }

  private countAt(at: string, value: unknown): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
    throw this.refusal(at, 'must be a whole number from 1');
  }

  private objectAt(at: string, value: unknown): Readonly<Record<string, unknown>> {
    if (isRecord(value)) return value;
    throw this.refusal(at, 'must be a JSON object');
  }

  /** `Tools`, `permision`: meant to tighten, and would not. */
  private refuseMisspelt(at: string, key: string, names: readonly string[]): void {
    const meant = names.find((name) => isMisspelt(key, name));
    if (meant !== undefined) throw this.refusal(at + key, `is no setting: did you mean ${at}${meant}?`);
  }

  private refusal(at: string, what: string): WrongStackError {
    return new WrongStackError('config.invalid', `${this.file}: ${at === '' ? '' : `${at} `}${what}`, {
      hint: 'correct it or remove the file',
      path: `/${at.replaceAll('.', '/')}`,
    });
  }
}

/** One slip, or another way of writing the same words: `timeout_ms`. */
function isMisspelt(written: string, meant: string): boolean {
  const [one, other] = [written, meant].map((name) => name.toLowerCase().replace(/[^a-z]/g, ''));
  return one !== undefined && other !== undefined && editDistance(one.slice(0, 64), other) <= 1;
}

function leafKeys(section: string, value: unknown): readonly string[] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [section];
  return Object.keys(value).map((key) => `${section}.${key}`);
}
