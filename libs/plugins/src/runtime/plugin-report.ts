import type { PluginPlace } from '../discovery/plugin-source.js';
import type { PluginStatus } from '../loader/loaded-plugin.js';
import type { PluginError } from '../loader/plugin-error.js';
import type { EarlierFault } from './fault-journal.js';

/** One line of `plugin list`, for plugins on disk. */
export interface PluginReport extends Omit<PluginStatus, 'state'> {
  readonly state: PluginStatus['state'] | 'disabled';
  readonly place: PluginPlace | null;
  readonly path: string | null;
  /** Of its content, where it had to be known. */
  readonly digest: string | null;
  /** What went wrong in other processes, with this same content. */
  readonly earlier: readonly EarlierFault[];
}

/** Of one that is not loaded. */
export function report(name: string, fields: Partial<PluginReport>): PluginReport {
  return {
    name,
    version: null,
    description: null,
    state: 'failed',
    declared: [],
    used: [],
    faults: [],
    error: null,
    place: null,
    path: null,
    digest: null,
    earlier: [],
    ...fields,
  };
}

export function withHint({ message, hint }: PluginError): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
