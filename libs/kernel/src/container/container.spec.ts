import { MetricsSink } from '@wrongstack/contracts';
import { NoopMetricsSink } from '../metrics/noop-metrics-sink.js';
import { Container } from './container.js';
import { createToken, isSealed, TOKENS } from './tokens.js';

const NUMBER = createToken<number>('Number');
const TEXT = createToken<string>('Text');

describe('Container', () => {
  it('resolves values, and makes factories once', () => {
    const container = new Container();
    let made = 0;
    container.bind(NUMBER, { value: 7 });
    container.bind(TEXT, { factory: (from) => `${String(from.resolve(NUMBER))}:${String(++made)}` });
    expect(container.resolve(TEXT)).toBe('7:1');
    expect(container.resolve(TEXT)).toBe('7:1');
  });

  it('takes a port class as its own key', () => {
    const container = new Container();
    const sink = new NoopMetricsSink();
    container.bind(MetricsSink, { value: sink });
    expect(container.resolve(TOKENS.MetricsSink)).toBe(sink);
  });

  it('brings the previous binding back when the later one is disposed', () => {
    const container = new Container();
    container.bind(NUMBER, { value: 1 });
    const dispose = container.bind(NUMBER, { value: 2 });
    expect(container.resolve(NUMBER)).toBe(2);
    dispose();
    expect(container.resolve(NUMBER)).toBe(1);
  });

  it('names what is missing, and the way round a cycle', () => {
    const container = new Container();
    expect(() => container.resolve(NUMBER)).toThrow('nothing is bound to Number');
    container.bind(NUMBER, { factory: (from) => from.resolve(TEXT).length });
    container.bind(TEXT, { factory: (from) => String(from.resolve(NUMBER)) });
    expect(() => container.resolve(NUMBER)).toThrow('Number -> Text -> Number');
  });

  it('knows which keys decide, approve, record, scrub or configure', () => {
    expect(isSealed(TOKENS.PermissionPolicy)).toBe(true);
    expect(isSealed(TOKENS.ToolExecutor)).toBe(true);
    expect(isSealed(TOKENS.ConfigStore)).toBe(true);
    expect(isSealed(TOKENS.MetricsSink)).toBe(false);
    expect(isSealed(NUMBER)).toBe(false);
  });
});
