import { WrongStackError } from '@wrongstack/contracts';

/** Why a plugin is not there. Each code has one meaning; `plugin list` shows the message. */
export type PluginErrorCode =
  | 'plugin.invalid'
  | 'plugin.duplicate'
  | 'plugin.conflict'
  | 'plugin.cycle'
  | 'plugin.dependency_missing'
  | 'plugin.dependency_version'
  | 'plugin.dependency_failed'
  | 'plugin.api_version'
  | 'plugin.config_invalid'
  | 'plugin.capability_undeclared'
  | 'plugin.setup_failed'
  | 'plugin.setup_timeout'
  | 'plugin.unloaded';

export class PluginError extends WrongStackError {
  override readonly name = 'PluginError';
  readonly plugin: string;

  constructor(
    code: PluginErrorCode,
    plugin: string,
    fault: string,
    options: { cause?: unknown; hint?: string; path?: string } = {},
  ) {
    super(code, `plugin ${plugin}: ${fault}`, options);
    this.plugin = plugin;
  }
}
