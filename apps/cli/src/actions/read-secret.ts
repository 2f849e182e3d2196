import { readStdin } from '../read-stdin.js';
import { usageError } from '../report-error.js';

const ENTER = ['\r', '\n'];
const INTERRUPT = '\u0003';
const ERASE = ['\u007f', '\b'];

/** A secret from stdin: piped whole, or typed without being shown. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  const secret = stdin.isTTY ? await typed(prompt, stdin, stderr) : (await readStdin()).replace(/\r?\n$/, '');
  if (secret === '') throw usageError('the credential is empty', 'pipe it in, or type it at the prompt');
  if (/[\u0000-\u001f\u007f]/.test(secret)) {
    throw usageError('the credential holds a line break or control character', 'store one line without them');
  }
  return secret;
}

function typed(prompt: string, stdin: NodeJS.ReadStream, stderr: NodeJS.WriteStream): Promise<string> {
  stderr.write(prompt);
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let secret = '';
    const finish = (settle: () => void): void => {
      stdin.setRawMode(false);
      stdin.off('data', onData);
      stdin.pause();
      stderr.write('\n');
      settle();
    };
    const onData = (chunk: string): void => {
      for (const character of chunk) {
        if (ENTER.includes(character)) return finish(() => resolve(secret));
        if (character === INTERRUPT)
          return finish(() => reject(usageError('interrupted; nothing was stored')));
        secret = ERASE.includes(character) ? secret.slice(0, -1) : secret + character;
      }
    };
    stdin.on('data', onData);
  });
}
