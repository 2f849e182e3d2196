import { WrongStackError } from '@wrongstack/contracts';

/** Why a plugin is not there, or what went wrong later. Each code has one meaning; `plugin list` shows the message. */
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
  | 'plugin.argument_invalid'
  | 'plugin.setup_failed'
  | 'plugin.setup_timeout'
  | 'plugin.teardown_failed'
  | 'plugin.teardown_timeout'
  | 'plugin.hook_failed'
  | 'plugin.event_flood'
  | 'plugin.stray_error'
  | 'plugin.globals_changed'
  | 'plugin.output_taken'
  | 'plugin.late_registration'
  | 'plugin.unloaded'
  // Before any of its code runs.
  | 'plugin.not_found'
  | 'plugin.package_invalid'
  | 'plugin.not_compiled'
  | 'plugin.unreadable'
  | 'plugin.untrusted'
  | 'plugin.declined'
  | 'plugin.project_denied'
  | 'plugin.not_allowed'
  | 'plugin.required_missing'
  // While its module is imported.
  | 'plugin.import_failed'
  | 'plugin.import_timeout'
  | 'plugin.no_plugin'
  | 'plugin.name_mismatch';

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
