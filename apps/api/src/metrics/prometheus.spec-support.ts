import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const RULES = path.resolve(__dirname, '../../../../tools/observability/prometheus');
const START_MS = 30_000;

export interface QueryResult {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** A real Prometheus with the rules that are shipped, which scrapes one address each second. */
export class TestPrometheus {
  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(target: string, token: string): Promise<TestPrometheus> {
    const folder = mkdtempSync(path.join(tmpdir(), 'wstack-prometheus-'));
    const port = await freePort();
    for (const name of ['recording.rules.yaml', 'alerting.rules.yaml']) {
      copyFileSync(path.join(RULES, name), path.join(folder, name));
    }
    writeFileSync(path.join(folder, 'token'), token, { mode: 0o600 });
    writeFileSync(
      path.join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
        rule_files: ['recording.rules.yaml', 'alerting.rules.yaml'],
        scrape_configs: [
          {
            job_name: 'wrongstack-api',
            authorization: { credentials_file: path.join(folder, 'token') },
            static_configs: [{ targets: [target] }],
          },
        ],
      }),
    );
    const child = spawn(
      'prometheus',
      [
        `--config.file=${path.join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--enable-feature=exemplar-storage',
        '--log.level=error',
      ],
      { stdio: 'ignore' },
    );
    const prometheus = new TestPrometheus(folder, child, `http://127.0.0.1:${port}`);
    const missing = new Promise<never>((_resolve, reject) => {
      child.once('error', (error) =>
        reject(new Error('prometheus is missing: install the package prometheus', { cause: error })),
      );
      child.once('exit', (code) => reject(new Error(`prometheus ended with ${code}`)));
    });
    missing.catch(() => undefined);
    try {
      await Promise.race([
        missing,
        prometheus.until(async () => (await fetch(`${prometheus.url}/-/ready`)).ok),
      ]);
    } catch (error) {
      prometheus.stop();
      throw error;
    }
    return prometheus;
  }

  /** Throws what Prometheus says of a query that it does not understand. */
  async query(expression: string): Promise<readonly QueryResult[]> {
    const response = await fetch(`${this.url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: expression }),
    });
    // The API of Prometheus: a result where the status is success, else an error.
    const answer = (await response.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data?: { readonly result: readonly QueryResult[] };
    };
    if (answer.data === undefined) throw new Error(`${expression}: ${answer.error ?? answer.status}`);
    return answer.data.result;
  }

  /** Observations of the last minutes that name a trace. */
  async exemplars(
    series: string,
  ): Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly value: string }[]> {
    const now = Date.now() / 1000;
    const body = new URLSearchParams({ query: series, start: String(now - 600), end: String(now + 60) });
    const response = await fetch(`${this.url}/api/v1/query_exemplars`, { method: 'POST', body });
    // The API of Prometheus: one entry a series that has any.
    const { data } = (await response.json()) as {
      readonly data: readonly {
        readonly exemplars: readonly {
          readonly labels: Readonly<Record<string, string>>;
          readonly value: string;
        }[];
      }[];
    };
    return data.flatMap(({ exemplars }) => exemplars);
  }

  /** Polls until it holds; what throws does not hold yet. */
  async until(holds: () => Promise<boolean>): Promise<void> {
    const end = Date.now() + START_MS;
    for (;;) {
      if (await holds().catch(() => false)) return;
      if (Date.now() > end) throw new Error('prometheus did not come to it in time');
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  stop(): void {
    this.child.removeAllListeners('exit');
    this.child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      // Listening on an address, not on a pipe.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
