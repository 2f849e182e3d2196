import { createPipelines } from './create-pipelines.js';
import { Pipeline } from './pipeline.js';

function append(text: string) {
  return {
    name: text,
    handler: (value: string, next: (value: string) => Promise<string>) => next(value + text),
  };
}

describe('Pipeline', () => {
  it('passes the value through in order, to the terminal and back', async () => {
    const pipeline = new Pipeline<string>('p');
    pipeline.use(append('a'));
    pipeline.use({ name: 'around', handler: async (value, next) => `(${await next(value)})` });
    const dispose = pipeline.use(append('b'));
    await expect(pipeline.run('', (value) => `${value}!`)).resolves.toBe('(ab!)');
    dispose();
    await expect(pipeline.run('')).resolves.toBe('(a)');
  });

  it('may be ended by a handler that does not call next', async () => {
    const pipeline = new Pipeline<string>('p');
    pipeline.use({ name: 'stop', handler: () => 'stopped' });
    pipeline.use(append('never'));
    await expect(pipeline.run('x')).resolves.toBe('stopped');
  });

  it('lets a throw bubble up while no boundary is set', async () => {
    const pipeline = new Pipeline<string>('p');
    pipeline.use({ name: 'bad', handler: () => Promise.reject(new Error('broken')) });
    await expect(pipeline.run('x')).rejects.toThrow('broken');
  });

  it('skips a handler that throws once a boundary says so, and names it', async () => {
    const pipeline = new Pipeline<string>('request');
    const seen: unknown[] = [];
    pipeline.setErrorHandler((_error, where) => {
      seen.push(where);
      return 'continue';
    });
    pipeline.use(append('a'));
    pipeline.use({ name: 'bad', owner: 'my-plugin', handler: () => Promise.reject(new Error('broken')) });
    pipeline.use(append('b'));
    await expect(pipeline.run('')).resolves.toBe('ab');
    expect(seen).toEqual([{ pipeline: 'request', name: 'bad', owner: 'my-plugin' }]);
  });

  it('runs the rest once even where a handler throws after next()', async () => {
    const pipeline = new Pipeline<string>('p');
    pipeline.setErrorHandler(() => 'continue');
    let terminals = 0;
    pipeline.use({
      name: 'late',
      handler: async (value, next) => {
        await next(value);
        throw new Error('late');
      },
    });
    await expect(pipeline.run('x', (value) => ((terminals += 1), value))).resolves.toBe('x');
    expect(terminals).toBe(1);
  });

  it('does not blame a handler for what failed after it', async () => {
    const pipeline = new Pipeline<string>('p');
    const blamed: string[] = [];
    pipeline.setErrorHandler((_error, { name }) => {
      blamed.push(name);
      return 'continue';
    });
    pipeline.use(append('a'));
    await expect(
      pipeline.run('', () => {
        throw new Error('model is down');
      }),
    ).rejects.toThrow('model is down');
    expect(blamed).toEqual([]);
  });

  it('refuses a second next() of the same handler', async () => {
    const pipeline = new Pipeline<string>('p');
    pipeline.use({
      name: 'twice',
      handler: async (value, next) => {
        await next(value);
        return next(value);
      },
    });
    await expect(pipeline.run('x')).rejects.toThrow('twice called next() twice');
  });
});

describe('createPipelines', () => {
  it('has the six core pipelines and takes custom ones by a free name', () => {
    const pipelines = createPipelines();
    pipelines.create<number>('my-plugin:numbers');
    expect(pipelines.all().map(({ name }) => name)).toEqual([
      'userInput',
      'contextWindow',
      'request',
      'response',
      'assistantOutput',
      'toolCall',
      'my-plugin:numbers',
    ]);
    expect(() => pipelines.create('request')).toThrow('exists already');
  });
});

describe('a handler that never answers', () => {
  const silent = () => new Promise<never>(() => undefined);
  let pipeline: Pipeline<string>;
  const faults: string[] = [];
  beforeEach(() => {
    faults.length = 0;
    pipeline = new Pipeline<string>('p', 10);
    pipeline.setErrorHandler((error) => {
      faults.push((error as Error).message);
      return 'continue';
    });
  });

  it('is passed over after its time, and left out once that has happened three times', async () => {
    pipeline.use({ name: 'mute', handler: silent });
    pipeline.use(append('b'));
    for (let turn = 0; turn < 6; turn += 1) await expect(pipeline.run('a')).resolves.toBe('ab');
    expect(faults).toEqual(Array(3).fill('mute in pipeline p did not answer within 10 ms'));
  });

  it('cannot run the rest of the chain a second time when it comes to life again', async () => {
    let late: () => Promise<string> = silent;
    pipeline.use({
      name: 'late',
      handler: (value, next) => {
        late = () => next(value);
        return silent();
      },
    });
    let ran = 0;
    await pipeline.run('a', (value) => ((ran += 1), value));
    await expect(late()).rejects.toMatchObject({ code: 'pipeline.next_late' });
    expect(ran).toBe(1);
  });

  it('is not the one that waits for the rest of the chain', async () => {
    pipeline.use({ name: 'around', handler: async (value, next) => `(${await next(value)})` });
    const terminal = async (value: string) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return value;
    };
    await expect(pipeline.run('a', terminal)).resolves.toBe('(a)');
    expect(faults).toEqual([]);
  });

  it('after the rest of the chain costs its time too, and the rest is not run again', async () => {
    let ran = 0;
    pipeline.use({ name: 'mute', handler: async (value, next) => (await next(value), silent()) });
    await expect(pipeline.run('a', (value) => ((ran += 1), value))).resolves.toBe('a');
    expect([ran, faults.length]).toEqual([1, 1]);
  });
});

describe('middleware that hands on what is no value of its pipeline', () => {
  const request = { model: 'm', system: [], messages: [], tools: [], maxOutputTokens: 1 };
  const response = { content: [], stopReason: 'end_turn', usage: {}, model: 'm' };
  const VALUES = {
    userInput: [{ type: 'text', text: 'hi' }],
    contextWindow: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    request,
    response,
    assistantOutput: 'done',
    toolCall: { type: 'tool_use', id: 'c-1', name: 'read', input: {} },
  } as const;
  const names = Object.keys(VALUES) as (keyof typeof VALUES)[];
  const WRONG: readonly [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a list of nothing', [null]],
    ['an empty object', {}],
  ];

  it.each(names.flatMap((name) => WRONG.map(([what, wrong]) => [name, what, wrong] as const)))(
    'is passed over and named: %s given %s',
    async (name, _what, wrong) => {
      const pipelines = createPipelines();
      // Each is a Pipeline of another kind of value.
      const pipeline = pipelines[name] as unknown as Pipeline<unknown>;
      const faults: unknown[] = [];
      pipeline.setErrorHandler((error, where) => {
        faults.push([(error as { code?: string }).code, where.owner]);
        return 'continue';
      });
      pipeline.use({ name: 'returns', owner: 'p', handler: () => wrong });
      pipeline.use({ name: 'passes', owner: 'p', handler: (_value, next) => next(wrong) });
      pipeline.use({ name: 'after', owner: 'p', handler: async (value, next) => (await next(value), wrong) });
      await expect(pipeline.run(VALUES[name])).resolves.toEqual(VALUES[name]);
      expect(faults).toEqual(Array(3).fill(['pipeline.value_invalid', 'p']));
    },
  );

  it('does not hold back what a pipeline of a plugin’s own carries', async () => {
    const pipeline = createPipelines().create<unknown>('p:anything');
    pipeline.use({ name: 'm', handler: () => undefined });
    await expect(pipeline.run(1)).resolves.toBeUndefined();
  });
});
