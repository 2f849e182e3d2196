import { useState } from 'react';
import { useEvents } from '../../client/use-events.js';
import { Section } from '../../parts/section.js';
import { StreamNotice } from '../../parts/stream-notice.js';
import { TextBlock } from '../../parts/text-block.js';

/** The tail that is kept here; the whole is at the API. */
const MOST_CHARACTERS = 200_000;

interface Printed {
  readonly text: string;
  readonly lost: number;
}

const NOTHING: Printed = { text: '', lost: 0 };

interface Props {
  readonly id: string;
  /** It prints nothing more: how it ended can be asked for. */
  readonly onEnd: () => void;
}

/** What a task prints, as it prints it. */
export function TaskOutput({ id, onEnd }: Props) {
  const [printed, setPrinted] = useState<Printed>(NOTHING);
  const stream = useEvents(
    `/v1/tasks/${encodeURIComponent(id)}/output`,
    (name, data) => {
      if (name === 'output') setPrinted((before) => joined(before, data));
      if (name === 'end') onEnd();
    },
    { last: 'end' },
  );
  return (
    <Section title="Output">
      <StreamNotice state={stream} />
      {printed.lost === 0 ? null : (
        <p>{`${printed.lost.toLocaleString('en')} bytes before this are no longer kept here.`}</p>
      )}
      {printed.text === '' ? (
        <p>Nothing yet.</p>
      ) : (
        <TextBlock label="What it printed" text={printed.text} lines={null} />
      )}
    </Section>
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
