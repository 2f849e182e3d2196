import type { Tool } from '@wrongstack/contracts';
import type { Environment } from '../process/child-environment.js';
import { FORMAT_RUNNERS, LINT_RUNNERS, TEST_RUNNERS, TYPECHECK_RUNNERS } from './code-runners.js';
import { AUDIT_RUNNERS, INSTALL_RUNNERS, OUTDATED_RUNNERS, REGISTRIES } from './package-runners.js';
import { refusePackages } from './package-specs.js';
import { createRunnerTool, type RunnerToolSpec } from './runner-tool.js';
import { scaffoldTool } from './scaffold.tool.js';
import {
  summariseAudit,
  summariseFindings,
  summariseInstall,
  summariseOutdated,
  summariseTests,
} from './summarise.js';

const RESTRICTED = ['shell.restricted'] as const;
/** They ask a registry as well: policies about hosts must hold for them. */
const NETWORK = ['shell.restricted', 'net.outbound'] as const;

const SPECS: readonly RunnerToolSpec[] = [
  {
    name: 'lint',
    description:
      "Run the project's linter (its lint script, eslint, biome, ruff, go vet, clippy); findings as file:line.",
    runners: LINT_RUNNERS,
    parameters: ['path', 'fix'],
    capabilities: RESTRICTED,
    mutating: true,
    timeoutMs: 180_000,
    estimatedDurationMs: 15_000,
    summarise: summariseFindings,
    writes: ({ fix }) => fix,
  },
  {
    name: 'format',
    description:
      "Format with the project's formatter (its format script, prettier, biome, ruff, black, gofmt, cargo fmt).",
    runners: FORMAT_RUNNERS,
    parameters: ['path', 'check'],
    capabilities: RESTRICTED,
    mutating: true,
    timeoutMs: 120_000,
    estimatedDurationMs: 5_000,
    summarise: summariseFindings,
    writes: ({ check }) => !check,
  },
  {
    name: 'typecheck',
    description:
      'Check types with what the project uses (its typecheck script, tsc, mypy, pyright, go build, cargo check).',
    runners: TYPECHECK_RUNNERS,
    parameters: ['path'],
    capabilities: RESTRICTED,
    mutating: false,
    timeoutMs: 300_000,
    estimatedDurationMs: 20_000,
    summarise: summariseFindings,
    writes: () => false,
  },
  {
    name: 'test',
    description:
      "Run the project's tests (its test script, jest, vitest, node, pytest, go, cargo, maven, gradle, make); counts and failures.",
    runners: TEST_RUNNERS,
    parameters: ['path', 'filter'],
    capabilities: RESTRICTED,
    mutating: true,
    timeoutMs: 600_000,
    estimatedDurationMs: 30_000,
    summarise: summariseTests,
    writes: () => false,
  },
  {
    name: 'audit',
    description: 'Known vulnerabilities of the installed packages, by the package manager of the project.',
    runners: AUDIT_RUNNERS,
    parameters: [],
    capabilities: NETWORK,
    mutating: false,
    timeoutMs: 120_000,
    estimatedDurationMs: 5_000,
    summarise: summariseAudit,
    writes: () => false,
    registries: REGISTRIES,
  },
  {
    name: 'outdated',
    description: 'Packages of the project that have newer versions: installed → latest.',
    runners: OUTDATED_RUNNERS,
    parameters: [],
    capabilities: NETWORK,
    mutating: false,
    timeoutMs: 120_000,
    estimatedDurationMs: 5_000,
    summarise: summariseOutdated,
    writes: () => false,
    registries: REGISTRIES,
  },
  {
    name: 'install',
    description:
      'Install what the project asks for, or add registry packages, with its package manager; install scripts stay off.',
    runners: INSTALL_RUNNERS,
    parameters: ['packages'],
    capabilities: ['package.install', 'shell.restricted', 'net.outbound'],
    mutating: true,
    timeoutMs: 600_000,
    estimatedDurationMs: 30_000,
    summarise: summariseInstall,
    writes: () => true,
    registries: REGISTRIES,
    refuse: ({ request }, runner) => refusePackages(request.packages, runner.id),
  },
];

/** What a project's own programs do, and new projects. */
export function projectTools(options: { readonly environment: Environment }): readonly Tool[] {
  return [...SPECS.map((spec) => createRunnerTool(spec, options)), scaffoldTool];
}
