import type { Script } from '@wrongstack/providers';

export const DEMO_PROMPT = 'The total of a cart is wrong. Fix it, clean up the old build, and release.';

/** What the scripted model says and asks for. What happens then is real: the tools, the decisions, the results. */
export const DEMO_SCRIPT: Script = {
  name: 'demo',
  model: 'scripted-demo',
  turns: [
    {
      text: 'I look for where totals are computed.',
      calls: [
        { tool: 'grep', input: { pattern: 'total\\(', path: '.' } },
        { tool: 'read', input: { path: 'src/cart.js' } },
      ],
      pieceDelayMs: 12,
    },
    {
      expect: { results: [{ contains: 'src/cart.js' }, { contains: 'sum -= item.price' }] },
      text: 'The sum is subtracted from instead of added to. The tests first, so that I see them fail.',
      calls: [{ tool: 'bash', input: { command: 'node --test' } }],
      pieceDelayMs: 12,
    },
    {
      expect: { results: [{ contains: 'fail 2' }] },
      text: 'Both fail. Now the fix.',
      calls: [
        {
          tool: 'edit',
          input: {
            path: 'src/cart.js',
            old_string: 'sum -= item.price * item.quantity;',
            new_string: 'sum += item.price * item.quantity;',
          },
        },
      ],
      pieceDelayMs: 12,
    },
    { calls: [{ tool: 'bash', input: { command: 'node --test' } }] },
    {
      expect: { results: [{ contains: 'pass 2' }] },
      text: 'They pass. The old build can go.',
      calls: [{ tool: 'bash', input: { command: 'rm -rf build' } }],
      pieceDelayMs: 12,
    },
    {
      text: 'And the release.',
      calls: [{ tool: 'bash', input: { command: 'npm publish' } }],
      pieceDelayMs: 12,
    },
    {
      expect: { results: [{ contains: 'no-publish', isError: true }] },
      text: [
        'The cart adds up again: `src/cart.js` subtracted each line instead of adding it. Both tests pass.',
        '',
        'I did not release. Rule no-publish says that releases go through the pipeline: open a merge request instead.',
      ].join('\n'),
      pieceDelayMs: 12,
    },
  ],
};
