import { parseFindings } from './findings.js';
import { parseAudit, parseOutdated } from './package-report.js';
import { parseTestReport } from './test-report.js';

describe('findings', () => {
  it.each([
    ['tsc', "src/a.ts(12,5): error TS2322: Type 'x'.", 'src/a.ts', 12, 5, 'error', "TS2322: Type 'x'."],
    [
      'ruff',
      'a.py:1:8: F401 `os` imported but unused',
      'a.py',
      1,
      8,
      'error',
      'F401 `os` imported but unused',
    ],
    ['mypy', 'a.py:3: error: Bad  [assignment]', 'a.py', 3, undefined, 'error', 'Bad  [assignment]'],
    ['go vet', 'vet: ./a.go:5:2: undefined: x', './a.go', 5, 2, 'error', 'undefined: x'],
    [
      'clippy',
      'src/main.rs:2:5: warning: unused variable: `x`',
      'src/main.rs',
      2,
      5,
      'warning',
      'unused variable: `x`',
    ],
    [
      'biome',
      './src/a.ts:1:7 lint/correctness/noUnusedVariables',
      './src/a.ts',
      1,
      7,
      'error',
      'lint/correctness/noUnusedVariables',
    ],
    ['coloured', '\u001b[31ma.ts:1:2\u001b[0m - error TS1: x', 'a.ts', 1, 2, 'error', 'TS1: x'],
  ])('of %s', (_name, text, file, line, column, severity, message) => {
    expect(parseFindings(`noise\n${text}\n`)).toEqual([
      { file, line, ...(column === undefined ? {} : { column }), severity, message },
    ]);
  });

  it('of prettier and black are the files', () => {
    const text =
      '[warn] src/a b.ts\n[warn] Code style issues found in the above file.\nwould reformat /ws/x.py\n';
    expect(parseFindings(text).map(({ file }) => file)).toEqual(['src/a b.ts', '/ws/x.py']);
  });

  it('are not times and addresses', () => {
    expect(parseFindings('12:30:15 started\nhttp://localhost:8080 up\nDone in 3s\n')).toEqual([]);
  });

  it('of a huge line take no time', () => {
    expect(parseFindings(`${'a:'.repeat(200_000)}\n${' '.repeat(1_000_000)}`)).toEqual([]);
  });
});

describe('test reports', () => {
  it.each([
    [
      'jest',
      '  ● sums › adds\n\n    expect(1).toBe(2)\n\n      at Object.<anonymous> (src/sum.spec.ts:4:13)\n\nTests:       1 failed, 1 skipped, 2 passed, 4 total\n',
      {
        passed: 2,
        failed: 1,
        skipped: 1,
        failures: [{ name: 'sums › adds', file: 'src/sum.spec.ts', line: 4 }],
      },
    ],
    [
      'vitest',
      ' FAIL  src/a.test.ts > sums > adds\nAssertionError: x\n ❯ src/a.test.ts:5:9\n\n      Tests  1 failed | 3 passed (4)\n',
      {
        passed: 3,
        failed: 1,
        skipped: 0,
        failures: [{ name: 'src/a.test.ts > sums > adds', file: 'src/a.test.ts', line: 5 }],
      },
    ],
    [
      'pytest',
      'F..\nE   assert 1 == 2\n\ntests/test_a.py:3: AssertionError\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 2 passed in 0.03s\n',
      { passed: 2, failed: 1, skipped: 0, failures: [{ name: 'tests/test_a.py::test_b - assert 1 == 2' }] },
    ],
    [
      'go',
      '--- FAIL: TestX (0.00s)\n    a_test.go:7: bad\nFAIL\nFAIL\texample/a\t0.002s\nok  \texample/b\t0.001s\n',
      { passed: 1, failed: 1, skipped: 0, failures: [{ name: 'TestX', file: 'a_test.go', line: 7 }] },
    ],
    [
      'cargo',
      "test tests::a ... FAILED\nthread 'tests::a' panicked at src/lib.rs:9:5:\nx\ntest result: FAILED. 1 passed; 1 failed; 2 ignored; 0 measured\ntest result: ok. 4 passed; 0 failed; 0 ignored\n",
      { passed: 5, failed: 1, skipped: 2, failures: [{ name: 'tests::a', file: 'src/lib.rs', line: 9 }] },
    ],
    [
      'maven',
      '[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n',
      { passed: 2, failed: 2, skipped: 1, failures: [] },
    ],
  ])('of %s', (_name, text, report) => {
    expect(parseTestReport(text)).toEqual(report);
  });

  it('of something else are none', () => {
    expect(parseTestReport('all is well\n')).toBeNull();
  });
});

describe('package reports', () => {
  it('of npm: the most serious first', () => {
    const audit = {
      auditReportVersion: 2,
      vulnerabilities: {
        b: { severity: 'low', via: [], range: '<2', fixAvailable: true },
        a: {
          severity: 'critical',
          via: ['b', { title: 'T' }, { title: 'U' }, { title: 'T' }],
          range: '*',
          fixAvailable: false,
        },
      },
      metadata: {},
    };
    expect(parseAudit(JSON.stringify(audit))).toEqual({
      counts: { low: 1, critical: 1 },
      lines: ['critical a *: T; U', 'low b <2, fix available'],
    });
    expect(parseAudit('{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}')).toEqual({
      counts: {},
      lines: [],
    });
  });

  it('of yarn, pnpm, cargo and pip-audit', () => {
    const yarn = JSON.stringify({
      type: 'auditAdvisory',
      data: { advisory: { module_name: 'a', severity: 'high', title: 'T' } },
    });
    expect(parseAudit(`${yarn}\n{"type":"auditSummary","data":{}}\n`)?.lines).toEqual(['high a T']);
    const pnpm = { advisories: { 1: { module_name: 'a', severity: 'high', title: 'T' } }, metadata: {} };
    expect(parseAudit(JSON.stringify(pnpm))?.lines).toEqual(['high a T']);
    const cargo = { vulnerabilities: { list: [{ advisory: { package: 'a', title: 'T' } }] } };
    expect(parseAudit(JSON.stringify(cargo))?.lines).toEqual(['unknown a T']);
    const pip = { dependencies: [{ name: 'a', version: '1', vulns: [{ id: 'X-1' }] }] };
    expect(parseAudit(JSON.stringify(pip))?.lines).toEqual(['unknown a X-1']);
    expect(parseAudit('npm ERR! no lock file')).toBeNull();
  });

  it('of what is outdated', () => {
    expect(parseOutdated('{"a":{"current":"1.0.0","wanted":"1.1.0","latest":"2.0.0"}}')?.lines).toEqual([
      'a 1.0.0 → 2.0.0',
    ]);
    expect(parseOutdated('{"type":"table","data":{"body":[["a","1","1","2"]]}}')?.lines).toEqual(['a 1 → 2']);
    expect(parseOutdated('[{"name":"a","version":"1","latest_version":"2"}]')?.lines).toEqual(['a 1 → 2']);
    expect(parseOutdated('example.com/a v1.0.0 v1.2.0\n')?.lines).toEqual(['example.com/a v1.0.0 → v1.2.0']);
    expect(parseOutdated('{}')).toEqual({ counts: { outdated: 0 }, lines: [] });
    expect(parseOutdated('error: no such thing')).toBeNull();
  });
});
