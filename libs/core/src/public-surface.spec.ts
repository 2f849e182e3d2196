import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

describe('what core promises to authors', () => {
  // Changed on purpose? Then `node tools/public-surface.mjs --write`, and say in the commit what authors have to do.
  it('is what libs/core/public-surface.txt says', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/public-surface.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual(
      readFileSync(path.join(root, 'libs/core/public-surface.txt'), 'utf8').split('\n'),
    );
  }, 60_000);

  it('has every name that the guides import or mention', async () => {
    const core = await import('./index.js');
    expect(Object.keys(core)).toEqual(
      expect.arrayContaining([
        'AutoApprovePermissionPolicy',
        'Container',
        'DefaultSystemPromptBuilder',
        'EventBus',
        'InMemoryMetricsSink',
        'KERNEL_API_VERSION',
        'MetricsSink',
        'Pipeline',
        'TOKENS',
        'ToolRegistry',
        'defineTool',
        'guardedFetch',
        'safeResolve',
        'safeResolveReal',
        'spawnStream',
      ]),
    );
    const surface = readFileSync(path.join(root, 'libs/core/public-surface.txt'), 'utf8');
    const types = [
      'Config',
      'ContentBlock',
      'Context',
      'InferArgs',
      'JSONSchema',
      'Logger',
      'Plugin',
      'PluginAPI',
      'PluginCapabilities',
      'SchemaSpec',
      'Tool',
      'ToolCallView',
      'ToolExecution',
      'ToolOptions',
      'ToolResultView',
      'ToolStreamEvent',
    ];
    for (const type of types) expect(surface).toMatch(new RegExp(`^(?:interface|type) ${type}\\b`, 'm'));
  });
});
