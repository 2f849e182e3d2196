export { listenToEvents, type EventSource, type RunEvent as TerminalEvent } from '@wrongstack/kernel';
