/** The tool itself: the same inside and outside of this repository, apart from what it imports. */
export function toolBody({ name, constant }) {
  return `
/** Counts the lines of one file of the working folder. */
export const ${constant} = defineTool({
  name: '${name}',
  description: 'Count the lines of a text file.',
  parameters: {
    path: { type: 'string', required: true, description: 'File, relative to the working folder' },
    blank: { type: 'boolean', description: 'Count empty lines too; true when missing' },
  },
  permission: 'auto',
  mutating: false,
  riskTier: 'safe',
  capabilities: ['fs.read'],
  category: 'Filesystem',
  timeoutMs: 10_000,
  async execute({ path, blank = true }, { context, signal }) {
    if (path === '') throw new WrongStackError('tool.bad_input', 'path must not be empty', { path: '/path' });
    const file = await safeResolveReal(context.cwd, path);
    const found = await stat(file).catch(() => null);
    // For the model to deal with, so it is a result and no error.
    if (!found?.isFile()) return { content: [{ type: 'text', text: \`\${path} is no file\` }] };
    const text = await readFile(file, { encoding: 'utf8', signal });
    context.recordRead(file, found.mtimeMs);
    const lines = text.split('\\n').filter((line) => blank || line.trim() !== '').length;
    return { content: [{ type: 'text', text: \`\${path} has \${lines} lines\` }], meta: { lines } };
  },
  // What the policy decides about: everything that a call would touch, before it does.
  describeCall: ({ path }, { cwd }) => ({
    paths: [{ path, access: 'read' }],
    command: null,
    cwd,
    urls: [],
  }),
  presentCall: ({ path }) => ({
    card: 'generic',
    title: \`Count the lines of \${path}\`,
    kind: 'read',
    locations: [{ path }],
  }),
  presentResult: ({ path }, { content, isError }) => ({
    card: 'generic',
    title: isError ? \`Could not count \${path}\` : \`Counted \${path}\`,
    content,
  }),
});
`;
}

/** Arguments that are refused, and the field that the refusal names. */
export const REFUSALS = `
    ['no path', {}, 'path'],
    ['a path that is no text', { path: 7 }, 'path'],
    ['an empty path', { path: '' }, 'path'],
    ['a flag that is no flag', { path: 'a.txt', blank: 'no' }, 'blank'],
    ['an argument that nobody declared', { path: 'a.txt', toString: 1 }, 'toString'],
    ['a path that leaves the folder', { path: '../a.txt' }, 'outside'],
`;
