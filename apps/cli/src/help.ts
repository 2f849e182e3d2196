/** `wstack --help`: a screen, not a manual. Each command has a `--help` of its own. */
export const HELP = `wstack · a coding agent whose every tool call is decided by one policy engine

Start    wstack, run "prompt", demo
Decide   policy explain|test|lint|diff|status|pull|push, trust list|revoke,
         approvals list|show|approve|reject
Server   runs start|list|show|follow|cancel
Inspect  session list|show|resume|export, tool list|show|call,
         task list|show|output|kill, audit verify|search, stats, diag
Extend   plugin list|show|check|trust|distrust, mcp list|pin|login|logout|serve,
         acp
Account  login, logout, whoami, auth set|list|remove, config get|set|path,
         completion bash|zsh|fish
Options  -C folder, --model name, --plan, --yolo, --resume [session],
         --plain, --no-color, --debug, --version
Exit     0 done, 1 failed, 2 usage, 3 stopped by policy, 130 interrupted

  wstack demo                                    see it work, without a key
  wstack run "fix the failing test"              one prompt, then exit
  wstack run "list TODOs" --output json | jq .text
  wstack policy explain bash '{"command":"rm -rf build"}'

wstack <command> --help says more about each; every list takes --json.
`;
