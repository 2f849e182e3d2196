/** Numbers, times and paths as people read them. No Intl: its first use costs more than a prompt may take. */

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `4 ms`, `7.1 s`, `42 s`, `2m03s`, `1h04m`. */
export function formatDuration(milliseconds: number): string {
  const ms = Math.max(0, Math.round(milliseconds));
  if (ms < SECOND) return `${ms} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  return formatAge(ms);
}

/** Whole units, for elapsed times that tick: `12 s`, `1m12s`, `2h05m`, `3d`. */
export function formatAge(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m${two(Math.floor((ms % MINUTE) / SECOND))}s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h${two(Math.floor((ms % HOUR) / MINUTE))}m`;
  return `${Math.floor(ms / DAY)}d`;
}

/** An estimate has no seconds to be exact about: `60 s`, `4 min`. */
export function formatEstimate(milliseconds: number): string {
  if (milliseconds < 2 * MINUTE) return `${Math.max(1, Math.round(milliseconds / SECOND))} s`;
  return `${Math.round(milliseconds / MINUTE)} min`;
}

/** One coarse unit for tables and states: `45s`, `8m`, `2h`, `3d`. */
export function formatCoarseAge(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  return `${Math.floor(ms / DAY)}d`;
}

/** `950`, `18.2k`, `1.3M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_950) return `${(count / 1_000).toFixed(1)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

export function formatCost(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? '<$0.01' : `$${dollars.toFixed(2)}`;
}

/** `96 KB`, `4 B`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

/** `4,812`. */
export function formatCount(count: number): string {
  return String(Math.trunc(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Local clock time: `14:40`. */
export function formatClockTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Local day and time: `7 Dec 14:02`. */
export function formatMoment(milliseconds: number): string {
  const date = new Date(milliseconds);
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${formatClockTime(milliseconds)}`;
}

/** `14:40` today, `7 Dec 14:02` on any other day. */
export function formatMomentNear(milliseconds: number, now: number): string {
  const sameDay = new Date(milliseconds).toDateString() === new Date(now).toDateString();
  return sameDay ? formatClockTime(milliseconds) : formatMoment(milliseconds);
}

/** `~/pay` for a path below the home folder. */
export function shortenHome(path: string, home: string | null): string {
  if (home === null || home === '' || home === '/') return path;
  if (path === home) return '~';
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
