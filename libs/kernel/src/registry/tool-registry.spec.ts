import type { Tool } from '@wrongstack/contracts';
import { ToolRegistry } from './tool-registry.js';

function tool(overrides: Partial<Tool> = {}): Tool {
  return {
    name: 'echo',
    description: 'Echoes.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    permission: 'confirm',
    mutating: true,
    riskTier: 'standard',
    capabilities: ['fs.write'],
    execute: async (input: { text: string }) => input.text,
    ...overrides,
  };
}

describe('ToolRegistry.register', () => {
  it('keeps a frozen snapshot: later changes of the author’s object change nothing', () => {
    const registry = new ToolRegistry();
    const original = tool();
    registry.register(original, 'p');
    original.permission = 'auto';
    original.execute = async () => 'swapped';
    const registered = registry.get('echo');
    expect(registered?.permission).toBe('confirm');
    expect(registered?.owner).toBe('p');
    expect(Object.isFrozen(registered)).toBe(true);
    expect(Object.isFrozen(registered?.inputSchema.properties)).toBe(true);
  });

  it('runs methods with the author’s own object as this', async () => {
    const registry = new ToolRegistry();
    registry.register({
      ...tool(),
      greeting: 'hi',
      async execute(this: { greeting: string }) {
        return this.greeting;
      },
    } as Tool);
    await expect(registry.get('echo')?.execute({ text: '' }, {} as never, {} as never)).resolves.toBe('hi');
  });

  it('takes a tool that streams instead of executing, and executes it by its stream', async () => {
    const registry = new ToolRegistry();
    const { execute: _none, ...rest } = tool();
    registry.register({
      ...rest,
      async *executeStream(input: { text: string }) {
        yield { type: 'log' as const, text: 'working' };
        yield { type: 'final' as const, output: input.text };
      },
    });
    const options = { signal: new AbortController().signal };
    await expect(registry.get('echo')?.execute({ text: 'hi' }, {} as never, options)).resolves.toBe('hi');
  });

  it.each([
    ['a name with capitals', { name: 'Echo' }, '/name'],
    ['a name from the prototype', { name: '__proto__' }, '/name'],
    ['an unknown permission', { permission: 'yes' }, '/permission'],
    ['a misspelt risk tier', { riskTier: 'Destructive' }, '/riskTier'],
    ['capabilities that are no list', { capabilities: 'fs.read' }, '/capabilities'],
    ['no execute', { execute: undefined }, '/execute'],
    ['a schema with a function', { inputSchema: { type: () => 'object' } }, '/inputSchema'],
    ['a negative limit', { timeoutMs: -1 }, '/timeoutMs'],
  ])('refuses %s and names the field', (_what, overrides, path) => {
    const registry = new ToolRegistry();
    expect(() => registry.register(tool(overrides as Partial<Tool>))).toThrow(
      expect.objectContaining({ code: 'tool.invalid', path }) as Error,
    );
    expect(registry.list()).toEqual([]);
  });

  it('refuses a foreign schema that does not compile, when it is registered', () => {
    const registry = new ToolRegistry();
    const broken = tool({ inputSchema: { type: 'object', properties: { a: { type: 'strin' } } } });
    expect(() => registry.register(broken, 'p')).toThrow('schema does not compile');
  });

  it('refuses a taken name, and frees it on disposal', () => {
    const registry = new ToolRegistry();
    const dispose = registry.register(tool());
    expect(() => registry.register(tool(), 'p')).toThrow('already registered by core');
    dispose();
    expect(registry.get('echo')).toBeUndefined();
    registry.register(tool(), 'p');
    dispose();
    expect(registry.get('echo')?.owner).toBe('p');
  });

  it('gives the same digest to the same definition, whatever the order of its keys', () => {
    const digest = (properties: Record<string, { type: string }>): string | undefined => {
      const registry = new ToolRegistry();
      registry.register(tool({ inputSchema: { type: 'object', properties } }));
      return registry.get('echo')?.definitionDigest;
    };
    expect(digest({ a: { type: 'string' }, b: { type: 'number' } })).toBe(
      digest({ b: { type: 'number' }, a: { type: 'string' } }),
    );
    expect(digest({ a: { type: 'string' } })).not.toBe(digest({ a: { type: 'number' } }));
  });

  it('announces what comes and goes', () => {
    const heard: string[] = [];
    const registry = new ToolRegistry({
      onChange: (event, { name, owner }) => heard.push(`${event} ${name} ${owner}`),
    });
    registry.register(tool(), 'p')();
    expect(heard).toEqual(['tool.registered echo p', 'tool.unregistered echo p']);
  });
});

describe('ToolRegistry.registerAll', () => {
  it('skips conflicts silently', () => {
    const registry = new ToolRegistry();
    registry.register(tool());
    expect(registry.registerAll([tool(), tool({ name: 'other' }), tool({ name: 'other' })], 'p')).toContain(
      'other',
    );
    expect(registry.get('echo')?.owner).toBe('core');
  });

  it('or takes all or none', () => {
    const registry = new ToolRegistry();
    registry.register(tool());
    expect(() => registry.registerAllOrThrow([tool({ name: 'other' }), tool()], 'p')).toThrow(
      'already registered',
    );
    expect(registry.list().map(({ name }) => name)).toEqual(['echo']);
  });
});

describe('ToolRegistry.wrap', () => {
  it('stacks: each wrapper receives what the previous made', async () => {
    const registry = new ToolRegistry();
    registry.register(tool());
    for (const mark of ['a', 'b']) {
      registry.wrap('echo', (original) => ({
        ...original,
        execute: async (input, ctx, opts) => `${mark}(${String(await original.execute(input, ctx, opts))})`,
      }));
    }
    await expect(registry.get('echo')?.execute({ text: 'x' }, {} as never, {} as never)).resolves.toBe(
      'b(a(x))',
    );
  });

  it.each([
    ['permission', { permission: 'auto' }],
    ['riskTier', { riskTier: 'safe' }],
    ['capabilities', { capabilities: [] }],
    ['mutating', { mutating: false }],
    ['name', { name: 'other' }],
  ] as const)('cannot loosen %s', (field, overrides) => {
    const registry = new ToolRegistry();
    registry.register(tool());
    expect(() =>
      registry.wrap('echo', (original) => ({ ...original, ...(overrides as Partial<Tool>) })),
    ).toThrow(expect.objectContaining({ code: 'tool.wrap_loosens', path: `/${field}` }) as Error);
    expect(registry.get('echo')?.permission).toBe('confirm');
  });

  it('can tighten, keeps the owner, and is undone by its disposer', () => {
    const registry = new ToolRegistry();
    registry.register(tool(), 'p');
    const dispose = registry.wrap('echo', (original) => ({
      ...original,
      permission: 'deny',
      riskTier: 'destructive',
    }));
    expect(registry.get('echo')).toMatchObject({ permission: 'deny', riskTier: 'destructive', owner: 'p' });
    dispose();
    expect(registry.get('echo')).toMatchObject({ permission: 'confirm', riskTier: 'standard' });
  });

  it('claims the union: a wrapper can claim more, never less', () => {
    const registry = new ToolRegistry();
    const claim = (path: string) => () => ({
      paths: [{ path, access: 'write' as const }],
      command: null,
      urls: [],
    });
    registry.register(tool({ describeCall: claim('a') }));
    registry.wrap('echo', (original) => ({ ...original, describeCall: claim('b') }));
    expect(registry.get('echo')?.describeCall?.({}, { cwd: '/', projectRoot: '/' })).toEqual({
      paths: [
        { path: 'a', access: 'write' },
        { path: 'b', access: 'write' },
      ],
      command: null,
      urls: [],
    });
    registry.wrap('echo', (original) => ({ ...original, describeCall: () => ({}) }));
    expect(registry.get('echo')?.describeCall?.({}, { cwd: '/', projectRoot: '/' })).toEqual({});
  });

  it('is for owners and the core, until a plugin host brings its own rule', () => {
    const registry = new ToolRegistry();
    registry.register(tool(), 'p');
    expect(() => registry.wrap('echo', (original) => original, 'q')).toThrow('belongs to p');
    expect(() => registry.unregister('echo', 'q')).toThrow('belongs to p');
    registry.unregister('echo', 'p');
    expect(registry.list()).toEqual([]);
  });
});

describe('ToolRegistry.validate', () => {
  const registry = new ToolRegistry();
  registry.register(
    tool({
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, when: { type: 'string', format: 'date' } },
        required: ['text'],
        additionalProperties: false,
        'x-vendor': 'ignored',
      },
    }),
  );

  it.each<[string, unknown, readonly string[]]>([
    ['a fitting input', { text: 'hi', when: '2026-01-31' }, []],
    ['a missing field', {}, ['/: field "text" is missing']],
    ['a field too many', { text: '', more: 1 }, ['/: unknown field "more"']],
    ['a wrong type', { text: 7 }, ['/text: must be string']],
    ['a wrong format', { text: '', when: 'soon' }, ['/when: must match format "date"']],
    ['no object', [], ['/: must be object']],
    [
      'a prototype key',
      JSON.parse('{"text":"","__proto__":{"a":1}}'),
      ['/__proto__: this key is not allowed'],
    ],
    [
      'a nested one',
      JSON.parse('{"text":{"constructor":{"prototype":{}}}}'),
      ['/text/constructor: this key is not allowed'],
    ],
  ])('judges %s', (_what, input, faults) => {
    expect(registry.validate('echo', input)).toEqual(faults);
  });

  it('does not take inherited members for required fields', () => {
    const strict = new ToolRegistry();
    strict.register(tool({ inputSchema: { type: 'object', required: ['toString'] } }));
    expect(strict.validate('echo', {})).toEqual(['/: field "toString" is missing']);
  });
});
