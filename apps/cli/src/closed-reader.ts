import { messageOf } from '@wrongstack/contracts';
import { EXIT } from './exit-codes.js';
import { escapeText } from './terminal/escape-text.js';

/**
 * `wstack session show … | head`: the reader has seen enough and hangs up. That is no failure of ours; a disk that is
 * full (`> log`) is one, and is said in a line. A command that cleans up after a signal is told by one; any other ends
 * here.
 */
export function onClosedReader(): void {
  let told = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (told) return;
    told = true;
    const hungUp = error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED';
    if (!hungUp) {
      process.exitCode = EXIT.failed;
      process.stderr.write(`wstack: output cannot be written: ${escapeText(messageOf(error))}\n`);
    }
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit();
  };
  process.stdout.on('error', onError);
  process.stderr.on('error', onError);
}
