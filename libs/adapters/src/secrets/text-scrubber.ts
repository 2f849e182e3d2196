import { KeyBlock } from './key-block.js';
import type { Carry } from './word-masker.js';
import { MASK, NOTHING, maskWord } from './word-masker.js';
import type { WordSink } from './word-stream.js';

/** Masks word by word: known formats, values under secret names, credentials of headers, private key blocks. */
export class TextScrubber implements WordSink {
  private carry: Carry = NOTHING;
  private readonly block = new KeyBlock();

  word(text: string, cut: boolean): string {
    const inBlock = this.block.word(text);
    if (inBlock !== undefined && inBlock.rest !== text) {
      const before = inBlock.rest === '' ? '' : maskWord(inBlock.rest, this.carry).text;
      this.carry = NOTHING;
      return before + inBlock.shown;
    }
    const masked = maskWord(text, this.carry);
    // A secret that was cut together with its word goes on without a border to be recognised by.
    const goesOn = cut && masked.carry.kind === 'nothing' && masked.text.endsWith(MASK);
    this.carry = goesOn ? { kind: 'run' } : masked.carry;
    return masked.text;
  }

  separator(text: string): string {
    const shown = this.block.separator(text);
    if (text === '\n' || text === '\r' || this.carry.kind === 'run') {
      // Values end with their line: a missing quote must not hide the rest of a file.
      this.carry = NOTHING;
    }
    const hidden = this.carry.kind === 'quoted' && !text.startsWith('\u001b');
    return shown && !hidden ? text : '';
  }
}
