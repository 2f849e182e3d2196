/** Puts the next text of the policy in force; answers when it was asked for and the bundle revision that came of it. */
export async function publish(api, number) {
  const text = JSON.stringify({
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id: 'soak', revision: 1, scope: { tier: 'org' } },
    rules: Array.from({ length: 50 }, (_, index) => ({
      ...{ id: `rule-${index}`, effect: 'deny', actions: ['shell.arbitrary'] },
      when: { command: { argv: [`tool-${index}`, 'delete'] } },
      because: `soak ${number}`,
    })),
  });
  if (number === 0) await api.send('POST', '/v1/policies', { text });
  else await api.send('PUT', '/v1/policies/soak/draft', { text }, { 'if-none-match': '*' });
  const at = Date.now();
  await api.send('POST', '/v1/policies/soak/publications', { expectedRevision: number, note: 'soak' });
  return at;
}
