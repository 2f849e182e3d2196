/** Where a plugin was found. A project's own came with its repository, so it runs only after the person trusted it. */
export type PluginPlace = 'user' | 'project' | 'config';

/** A plugin on disk that nobody has run yet. */
export interface FoundPlugin {
  /** The name of its folder, or its key in the configuration; what it exports must carry the same. */
  readonly name: string;
  readonly place: PluginPlace;
  /** Real path of its folder. */
  readonly root: string;
  /** Absolute path of the module to import. */
  readonly entry: string;
}

/** Something that lies where plugins lie and cannot be loaded. */
export interface FaultyPlugin {
  readonly name: string;
  readonly place: PluginPlace;
  readonly root: string;
  /** Of its content, where something asked for it. */
  readonly digest?: string | null;
  readonly error: import('../loader/plugin-error.js').PluginError;
}

export interface FoundPlugins {
  readonly found: readonly FoundPlugin[];
  readonly faulty: readonly FaultyPlugin[];
  /** Switched off in the configuration. */
  readonly disabled: readonly string[];
}
