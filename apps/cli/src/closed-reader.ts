/**
 * `wstack session show … | head`: the reader has seen enough and hangs up. That is no failure of ours. A command that
 * cleans up after a signal is told by one; any other ends here, without a word.
 */
export function onClosedReader(): void {
  let told = false;
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    if (told) return;
    told = true;
    if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
    else process.exit();
  };
  process.stdout.on('error', onError);
  process.stderr.on('error', onError);
}
