import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { type Clock, type Config, systemClock } from '@wrongstack/contracts';
import type { PluginRules } from './discovery/admit-plugins.js';
import type { PluginPlaces } from './discovery/find-plugins.js';
import { ProjectPluginTrust } from './discovery/project-trust.js';
import type { PluginReport } from './runtime/plugin-report.js';
import { PluginRuntime } from './runtime/plugin-runtime.js';
import { createTestingHost, type TestingHost } from './testing-host.js';

/** A home and a project on disk, for plugins to lie in. */
export class PluginFolders {
  readonly root = realpathSync(mkdtempSync(path.join(tmpdir(), 'plugins-')));
  readonly agentHome = path.join(this.root, 'home', '.wrongstack');
  readonly project = path.join(this.root, 'project');
  readonly host: TestingHost = createTestingHost();
  config: Pick<Config, 'plugins'> = { plugins: {} };
  rules: PluginRules & { enforceCapabilities: boolean } = {
    require: [],
    allow: null,
    project: 'trusted',
    enforceCapabilities: false,
  };

  /** `~/` stands for the agent's plugins, anything else for the project's. Returns the plugin's folder. */
  write(file: string, text: string): string {
    const own = file.startsWith('~/');
    const place = own
      ? path.join(this.agentHome, 'plugins', file.slice(2))
      : path.join(this.project, '.wrongstack', 'plugins', file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
    return path.dirname(place);
  }

  places(): PluginPlaces {
    return {
      agentHome: this.agentHome,
      home: path.join(this.root, 'home'),
      projectRoot: this.project,
      config: this.config,
    };
  }

  trust(clock: Clock = systemClock): ProjectPluginTrust {
    return new ProjectPluginTrust(this.agentHome, this.project, clock);
  }

  runtime(): PluginRuntime {
    return new PluginRuntime({
      host: this.host,
      places: () => this.places(),
      rules: async () => this.rules,
      trust: this.trust(),
      // The test runner has a loader of its own; the built program's is tested through the built program.
      hostModules: {},
      importModule: async (url) => {
        const file = fileURLToPath(url.replace(/\?.*/, ''));
        const exported = { exports: {} };
        const run = compileFunction(readFileSync(file, 'utf8'), ['module', 'exports', 'require']) as (
          ...given: unknown[]
        ) => void;
        run(exported, exported.exports, createRequire(file));
        return { default: exported.exports };
      },
      setupTimeoutMs: 100,
      teardownTimeoutMs: 100,
    });
  }

  /** One line each: `name state code`. */
  lines(reports: readonly PluginReport[]): readonly string[] {
    return reports.map(({ name, state, error }) =>
      [name, state, ...(error === null ? [] : [error.code])].join(' '),
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

/** A plugin's module in CommonJS, the whole of it on one line. */
export const moduleText = (name: string, body = 'setup() {}', before = ''): string =>
  `${before}module.exports = { name: ${JSON.stringify(name)}, ${body} };`;
