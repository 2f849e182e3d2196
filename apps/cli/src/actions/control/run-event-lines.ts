/** What somebody who follows a run reads of one of its events; nothing for most, since a run has many. */
export function runEventLines(name: string, data: unknown): readonly string[] {
  const text = (member: string): string => {
    const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, member) : undefined;
    if (typeof value === 'string') return value;
    return value === undefined || value === null ? '' : JSON.stringify(value);
  };
  switch (name) {
    case 'run.queued':
      return [`queued · attempt ${text('attempt')} · ${text('because')}`];
    case 'run.running':
      return [`running · attempt ${text('attempt')}`];
    case 'run.parked':
      return [`parked · waits for ${text('approvals')} · wstack approvals list`];
    case 'message.completed':
      return text('text') === '' ? [] : [text('text')];
    case 'tool.requested':
      return [`> ${text('tool')} ${text('input')}`];
    case 'tool.decided':
      return text('verdict') === 'deny' ? [`! denied: ${text('because')}`] : [];
    case 'tool.executed':
      return text('status') === 'ok' ? [] : [`< ${text('status')}`];
    case 'model.retry':
      return [`the model is asked again (${text('attempt')} of ${text('of')})`];
    case 'error':
      return [`! ${text('code')}: ${text('message')}`];
    case 'events.lost':
      return [`! ${text('count')} events were left out`];
    case 'end':
      return [`ended · ${text('state')}`];
    default:
      return [];
  }
}
