import type { ParameterSpec, SchemaSpec } from './schema-spec.js';

/** Faults of `args` against a spec, each starting with the parameter's path; empty when they fit. Never throws. */
export function checkArguments(spec: SchemaSpec, args: unknown, path = ''): readonly string[] {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return [`${path || '/'}: must be an object`];
  const faults: string[] = [];
  for (const [name, parameter] of Object.entries(spec)) {
    const at = `${path}/${name}`;
    const value: unknown = Object.hasOwn(args, name) ? Reflect.get(args, name) : undefined;
    if (value !== undefined) faults.push(...checkParameter(parameter, value, at));
    else if (parameter.required === true) faults.push(`${at}: is missing`);
  }
  for (const name of Object.keys(args))
    if (!Object.hasOwn(spec, name)) faults.push(`${path}/${name}: is unknown`);
  return faults;
}

function checkParameter(parameter: ParameterSpec, value: unknown, at: string): readonly string[] {
  switch (parameter.type) {
    case 'string':
      return typeof value === 'string' ? checkEnum(parameter.enum, value, at) : [`${at}: must be a string`];
    case 'number':
      return Number.isFinite(value) ? checkEnum(parameter.enum, value, at) : [`${at}: must be a number`];
    case 'integer':
      return Number.isInteger(value) ? checkEnum(parameter.enum, value, at) : [`${at}: must be an integer`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}: must be true or false`];
    case 'array': {
      if (!Array.isArray(value)) return [`${at}: must be a list`];
      const { items } = parameter;
      return items === undefined
        ? []
        : value.flatMap((item: unknown, index) => checkParameter(items, item, `${at}/${String(index)}`));
    }
    case 'object':
      if (parameter.properties !== undefined) return checkArguments(parameter.properties, value, at);
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? []
        : [`${at}: must be an object`];
  }
}

function checkEnum(members: readonly unknown[] | undefined, value: unknown, at: string): readonly string[] {
  return members === undefined || members.includes(value)
    ? []
    : [`${at}: must be one of ${members.join(', ')}`];
}
