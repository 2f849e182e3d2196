import { EventReader, type Heard } from './read-events.js';

function heard(...pieces: string[]): Heard[] {
  const reader = new EventReader();
  return pieces.flatMap((piece) => [...reader.read(piece)]);
}

describe('a stream of events', () => {
  it('is read whatever pieces it comes in', () => {
    const text = 'event: approval\nid: 7\ndata: {"a":1}\n\n: still there\n\ndata: x\ndata: y\n\n';
    const whole = heard(text);
    expect(whole).toEqual([
      { is: 'event', event: { name: 'approval', id: '7', data: '{"a":1}' } },
      { is: 'alive' },
      { is: 'event', event: { name: 'message', id: '7', data: 'x\ny' } },
    ]);
    expect(heard(...Array.from(text))).toEqual(whole);
    expect(heard(text.replaceAll('\n', '\r\n'))).toEqual(whole);
  });

  it('says nothing of an event that has not ended', () => {
    expect(heard('event: approval\ndata: {"a"')).toEqual([]);
  });

  it('is given up where one line has no end', () => {
    const reader = new EventReader();
    const piece = 'x'.repeat(1024 * 1024);
    expect(() => {
      for (let count = 0; count < 10; count += 1) Array.from(reader.read(piece));
    }).toThrow('too large');
  });
});
