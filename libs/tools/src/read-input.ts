import { WrongStackError } from '@wrongstack/contracts';
import { faultOfWord } from './text/well-formed.js';

/**
 * Checks beside the schema: a tool may be called by code that never validated, and the input is adversarial anyway.
 * Every function throws `tool.bad_input` naming the field.
 */
export type RawInput = Readonly<Record<string, unknown>>;

export function badInput(field: string, message: string): WrongStackError {
  return new WrongStackError('tool.bad_input', `${field} ${message}`, { path: `/${field}` });
}

export function rawInput(input: unknown): RawInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw badInput('input', 'must be an object');
  }
  // An object that is no array and not null has string keys; the values stay unknown.
  return input as RawInput;
}

export function text(input: RawInput, field: string): string {
  const value = input[field];
  if (typeof value !== 'string') throw badInput(field, 'must be a string');
  return value;
}

export function filledText(input: RawInput, field: string): string {
  const value = text(input, field);
  if (value === '') throw badInput(field, 'must not be empty');
  return value;
}

export function optionalText(input: RawInput, field: string): string | undefined {
  return input[field] === undefined ? undefined : text(input, field);
}

export function optionalFlag(input: RawInput, field: string, fallback: boolean): boolean {
  const value = input[field];
  if (value === undefined) return fallback;
  if (typeof value !== 'boolean') throw badInput(field, 'must be true or false');
  return value;
}

export function optionalInteger(
  input: RawInput,
  field: string,
  range: { readonly min: number; readonly max: number; readonly fallback: number },
): number {
  const value = input[field];
  if (value === undefined) return range.fallback;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < range.min || value > range.max) {
    throw badInput(field, `must be a whole number from ${range.min} to ${range.max}`);
  }
  return value;
}

export function textList(input: RawInput, field: string): readonly string[] {
  const value = input[field];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badInput(field, 'must be a list of strings');
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw badInput(field, 'must be a list of strings');
    const fault = faultOfWord(item);
    if (fault !== undefined) throw badInput(field, fault);
    return item;
  });
}

/** For presenters and claims, which must accept whatever an old log or a broken model holds. */
export function shown(input: unknown, field: string, fallback = ''): string {
  if (typeof input !== 'object' || input === null) return fallback;
  const value: unknown = (input as RawInput)[field];
  return typeof value === 'string' ? value : fallback;
}
