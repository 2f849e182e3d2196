import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Disposer,
  type EventMap,
  type EventName,
  type Logger,
  newId,
  NO_USAGE,
  silentLogger,
} from '@wrongstack/contracts';
import { startTracing } from './start-tracing.js';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const RUN = { session: newId('SessionId'), run: newId('RunId'), agent: 'main' };

/** A run that has one span. */
class OneRun {
  readonly #listeners = new Map<string, (payload: never) => void>();

  on<Name extends EventName>(name: Name, listener: (payload: EventMap[Name]) => void): Disposer {
    this.#listeners.set(name, listener);
    return () => void this.#listeners.delete(name);
  }

  play(): void {
    this.#emit('run.started', { ...RUN, model: 'small', resumed: false, tools: [], mode: 'ask' });
    this.#emit('run.finished', { ...RUN, status: 'completed', turns: 1, usage: NO_USAGE, durationMs: 9 });
  }

  #emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    // The map is keyed by name, so the listener fits the payload.
    (this.#listeners.get(name) as ((payload: EventMap[Name]) => void) | undefined)?.(payload);
  }
}

describe('spans that are left when a command ends', () => {
  let server: Server | null = null;
  afterEach(() => {
    Reflect.deleteProperty(process.env, ENDPOINT);
    server?.closeAllConnections();
    server?.close();
    server = null;
  });

  async function listen(answer: (end: () => void) => void): Promise<{ readonly asked: () => number }> {
    let asked = 0;
    const listening = createServer((request, response) => {
      asked += 1;
      request.resume();
      answer(() => response.end('{}'));
    });
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    // Listening on an address, not on a pipe.
    process.env[ENDPOINT] = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
    return { asked: () => asked };
  }

  /** Milliseconds that the end took, and what was said. */
  async function ended(): Promise<{ readonly ms: number; readonly said: readonly string[] }> {
    const said: string[] = [];
    const log: Logger = { ...silentLogger, warn: (message) => void said.push(message) };
    const events = new OneRun();
    const tracing = startTracing(events, { service: 'wstack', version: '1', log });
    events.play();
    const before = performance.now();
    await tracing.close();
    return { ms: performance.now() - before, said };
  }

  it('are sent', async () => {
    const collector = await listen((end) => end());
    expect(await ended()).toMatchObject({ said: [] });
    expect(collector.asked()).toBe(1);
  });

  it('hold nobody up for more than a second where the collector never answers, or is away', async () => {
    await listen(() => undefined);
    const slow = await ended();
    process.env[ENDPOINT] = 'http://127.0.0.1:9';
    const away = await ended();
    for (const { ms, said } of [slow, away]) {
      expect(ms).toBeLessThan(1_500);
      expect(said).toEqual(['spans could not be sent over OTLP']);
    }
  });
});
