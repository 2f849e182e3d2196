import { EventBus } from './event-bus.js';

const executed = { hears: 'tool.executed' } as never;

describe('EventBus', () => {
  it('tells listeners of a name, in order of subscription, until they are disposed', () => {
    const bus = new EventBus();
    const heard: string[] = [];
    const dispose = bus.on('tool.executed', () => heard.push('first'));
    bus.on('tool.executed', () => heard.push('second'));
    bus.emit('tool.executed', executed);
    dispose();
    dispose();
    bus.emit('tool.executed', executed);
    expect(heard).toEqual(['first', 'second', 'second']);
    expect(bus.listenerCount).toBe(1);
  });

  it.each([
    ['tool.*', ['tool.started', 'tool.executed']],
    ['*', ['tool.started', 'run.finished', 'tool.executed', 'my-plugin:state']],
    ['*.finished', ['run.finished']],
    ['my-plugin:*', ['my-plugin:state']],
    ['tool', []],
    ['tool.start.d', []],
  ])('matches the pattern %s literally but for its stars', (pattern, expected) => {
    const bus = new EventBus();
    const heard: string[] = [];
    bus.onPattern(pattern, (name) => heard.push(name));
    bus.emit('tool.started', executed);
    bus.emit('run.finished', executed);
    bus.emit('tool.executed', executed);
    bus.emitCustom('my-plugin:state', {});
    expect(heard).toEqual(expected);
  });

  it('goes on when a listener throws or rejects, and reports whose event it was', async () => {
    const faults: string[] = [];
    const bus = new EventBus({
      onListenerError: (error, event) => faults.push(`${event}: ${String(error)}`),
    });
    const heard: string[] = [];
    bus.on('error', () => {
      throw new Error('broken');
    });
    const rejecting: unknown = async () => Promise.reject(new Error('later'));
    bus.on('error', rejecting as () => void);
    bus.on('error', () => heard.push('still here'));
    bus.emit('error', { code: 'x', message: 'x', hint: null, fatal: false });
    await new Promise(setImmediate);
    expect(heard).toEqual(['still here']);
    expect(faults).toEqual(['error: Error: broken', 'error: Error: later']);
  });

  it('delivers once to a listener that leaves while it is being told', () => {
    const bus = new EventBus();
    let heard = 0;
    bus.once('tool.executed', () => heard++);
    bus.emit('tool.executed', executed);
    bus.emit('tool.executed', executed);
    expect(heard).toBe(1);
    expect(bus.listenerCount).toBe(0);
  });

  it('lets nobody pose as the kernel', () => {
    const bus = new EventBus();
    expect(() => bus.emitCustom('tool.decided', {})).toThrow(/tool.decided is built in/);
  });

  it('is not fooled by names from the object prototype', () => {
    const bus = new EventBus();
    const heard: unknown[] = [];
    bus.on('__proto__', (payload) => heard.push(payload));
    bus.emitCustom('__proto__', 1);
    bus.emitCustom('constructor', 2);
    expect(heard).toEqual([1]);
  });
});
