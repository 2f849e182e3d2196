import { useState } from 'react';
import { useEvents } from '../../client/use-events.js';
import { StreamNotice } from '../../parts/stream-notice.js';
import { TextBlock } from '../../parts/text-block.js';

/** The tail that is kept here; the whole is at the API. */
const MOST_CHARACTERS = 200_000;

interface Printed {
  readonly text: string;
  readonly lost: number;
}

const NOTHING: Printed = { text: '', lost: 0 };

/** What a task prints, as it prints it. */
export function TaskOutput({ id }: { readonly id: string }) {
  const [printed, setPrinted] = useState<Printed>(NOTHING);
  const stream = useEvents(
    `/v1/tasks/${encodeURIComponent(id)}/output`,
    (name, data) => {
      if (name === 'output') setPrinted((before) => joined(before, data));
    },
    { last: 'end' },
  );
  return (
    <section>
      <h3>Output</h3>
      <StreamNotice state={stream} />
      {printed.lost === 0 ? null : (
        <p>{`${printed.lost.toLocaleString('en')} bytes before this are no longer kept here.`}</p>
      )}
      {printed.text === '' ? (
        <p>Nothing yet.</p>
      ) : (
        <TextBlock label="Output" text={printed.text} lines={null} />
      )}
    </section>
  );
}

function joined({ text, lost }: Printed, data: unknown): Printed {
  const more = typeof data === 'object' && data !== null ? data : {};
  const added: unknown = Reflect.get(more, 'text');
  const gone: unknown = Reflect.get(more, 'lost');
  const whole = text + (typeof added === 'string' ? added : '');
  const cut = Math.max(0, whole.length - MOST_CHARACTERS);
  return { text: whole.slice(cut), lost: lost + cut + (typeof gone === 'number' ? gone : 0) };
}
