import type { JSONSchema } from '@wrongstack/contracts';

interface ParameterBase {
  readonly description?: string;
  /** Optional by default. */
  readonly required?: boolean;
}

/** One parameter, as `defineTool` takes it. */
export type ParameterSpec =
  | (ParameterBase & { readonly type: 'string'; readonly enum?: readonly string[] })
  | (ParameterBase & { readonly type: 'number' | 'integer'; readonly enum?: readonly number[] })
  | (ParameterBase & { readonly type: 'boolean' })
  | (ParameterBase & { readonly type: 'array'; readonly items?: ParameterSpec })
  | (ParameterBase & { readonly type: 'object'; readonly properties?: SchemaSpec });

/** The parameters of a tool by name. A short form of JSON Schema from which argument types are inferred. */
export interface SchemaSpec {
  readonly [name: string]: ParameterSpec;
}

type Flatten<T> = { [K in keyof T]: T[K] };

type InferParameter<P> = P extends { readonly enum: readonly (infer Member)[] }
  ? Member
  : P extends { readonly type: 'string' }
    ? string
    : P extends { readonly type: 'number' | 'integer' }
      ? number
      : P extends { readonly type: 'boolean' }
        ? boolean
        : P extends { readonly type: 'array'; readonly items: infer Items }
          ? InferParameter<Items>[]
          : P extends { readonly type: 'array' }
            ? unknown[]
            : P extends { readonly type: 'object'; readonly properties: infer Properties }
              ? InferArgs<Properties>
              : P extends { readonly type: 'object' }
                ? Record<string, unknown>
                : unknown;

/** The arguments that `execute` receives: required parameters are present, the others may be missing. */
export type InferArgs<Spec> = Flatten<
  {
    -readonly [
      Name in keyof Spec as Spec[Name] extends { readonly required: true } ? Name : never
    ]: InferParameter<Spec[Name]>;
  } & {
    -readonly [
      Name in keyof Spec as Spec[Name] extends { readonly required: true } ? never : Name
    ]?: InferParameter<Spec[Name]>;
  }
>;

/** The JSON Schema of a spec: objects are closed, so that a misspelt optional parameter is not silently dropped. */
export function toJsonSchema(spec: SchemaSpec): JSONSchema {
  const names = Object.keys(spec);
  const required = names.filter((name) => spec[name]?.required === true);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, parameterSchema(spec[name] as ParameterSpec)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function parameterSchema(parameter: ParameterSpec): JSONSchema {
  const described = parameter.description === undefined ? {} : { description: parameter.description };
  switch (parameter.type) {
    case 'string':
    case 'number':
    case 'integer':
      return { type: parameter.type, ...described, ...(parameter.enum && { enum: parameter.enum }) };
    case 'boolean':
      return { type: 'boolean', ...described };
    case 'array':
      return {
        type: 'array',
        ...described,
        ...(parameter.items && { items: parameterSchema(parameter.items) }),
      };
    case 'object':
      return parameter.properties === undefined
        ? { type: 'object', ...described }
        : { ...toJsonSchema(parameter.properties), ...described };
  }
}
