export {};
export {
  analyseCommand,
  type ImpliedHost,
  type ImpliedPath,
  type ShellAnalysis,
  type ShellPlace,
} from './shell/analyse-command.js';
