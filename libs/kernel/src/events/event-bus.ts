import type { Disposer, EventMap, EventName } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import { once } from '../disposal/disposal-scope.js';
import { isBuiltInEvent } from './built-in-events.js';
import { compileEventPattern } from './event-pattern.js';

export type EventListener<Payload> = (payload: Payload) => void;
export type PatternListener = (name: string, payload: unknown) => void;
export type ListenerErrorHandler = (error: unknown, event: string) => void;

/** Payload of a built-in event; `unknown` for a custom one. */
export type PayloadOf<Name extends string> = Name extends EventName ? EventMap[Name] : unknown;

/**
 * Announces what happened. Events never decide anything: a listener that throws or rejects is reported to
 * `onListenerError` and the others still hear it. Delivery is synchronous and in order of subscription.
 */
export class EventBus {
  readonly #listeners = new Map<string, Set<EventListener<never>>>();
  readonly #patterns = new Set<{
    readonly matches: (name: string) => boolean;
    readonly listener: PatternListener;
  }>();
  readonly #onListenerError: ListenerErrorHandler;

  constructor(options: { readonly onListenerError?: ListenerErrorHandler } = {}) {
    this.#onListenerError = options.onListenerError ?? (() => undefined);
  }

  on<Name extends EventName>(name: Name, listener: EventListener<EventMap[Name]>): Disposer;
  on(name: string, listener: EventListener<unknown>): Disposer;
  on(name: string, listener: EventListener<never>): Disposer {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    // A wrapper per subscription: the same function subscribed twice hears twice and is removed one at a time.
    const entry: EventListener<never> = (payload) => listener(payload);
    listeners.add(entry);
    return once(() => {
      listeners.delete(entry);
      if (listeners.size === 0) this.#listeners.delete(name);
    });
  }

  once<Name extends EventName>(name: Name, listener: EventListener<EventMap[Name]>): Disposer {
    const dispose = this.on(name, (payload) => {
      dispose();
      listener(payload);
    });
    return dispose;
  }

  /** `tool.*` hears `tool.started`, `tool.progress`, …; `*` hears every event, custom ones included. */
  onPattern(pattern: string, listener: PatternListener): Disposer {
    const entry = { matches: compileEventPattern(pattern), listener };
    this.#patterns.add(entry);
    return once(() => this.#patterns.delete(entry));
  }

  emit<Name extends EventName>(name: Name, payload: EventMap[Name]): void {
    this.#deliver(name, payload);
  }

  /** A plugin's own event. Built-in names are refused (`events.reserved`), so nothing can pose as the kernel. */
  emitCustom(name: string, payload: unknown): void {
    if (isBuiltInEvent(name)) {
      throw new WrongStackError('events.reserved', `event ${name} is built in; name yours plugin-name:event`);
    }
    this.#deliver(name, payload);
  }

  /** Subscriptions now in force; what a leak test counts. */
  get listenerCount(): number {
    let count = this.#patterns.size;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }

  #deliver(name: string, payload: unknown): void {
    // Copies: a listener may subscribe or leave while it is being told.
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      // The map is keyed by name, so the listener fits the payload.
      this.#guard(name, () => (listener as EventListener<unknown>)(payload));
    }
    for (const { matches, listener } of [...this.#patterns]) {
      if (matches(name)) this.#guard(name, () => listener(name, payload));
    }
  }

  #guard(name: string, call: () => unknown): void {
    try {
      const result = call();
      if (result instanceof Promise) result.catch((error: unknown) => this.#onListenerError(error, name));
    } catch (error) {
      this.#onListenerError(error, name);
    }
  }
}
