import { analyseCommand } from './analyse-command.js';

const HERE = { cwd: '/work/project', home: '/home/ada' };

/** `r:path` and `w:path`, those below the project without their prefix. */
function touched(claim: string | readonly string[]): string[] {
  return analyseCommand(claim, HERE).paths.map(({ path, access, bookkeeping }) => {
    const shown = path === null ? '?' : path.replace(/^\/work\/project(?:\/|$)/, '') || '.';
    return `${access[0] ?? ''}:${shown}${bookkeeping ? ' (own)' : ''}`;
  });
}

function hosts(command: string): (string | null)[] {
  return analyseCommand(command, HERE).hosts.map((host) => host.url);
}

describe('files that a command reads', () => {
  it.each([
    ['cat -n a.txt', ['r:a.txt']],
    ['head -n 5 a.txt', ['r:5', 'r:a.txt']],
    ['grep -rn todo src lib', ['r:src', 'r:lib']],
    ['grep -r todo', ['r:.']],
    ['grep --color todo a.txt', ['r:a.txt']],
    ['grep -e todo -f list a.txt', ['r:list', 'r:a.txt']],
    ['rg todo', ['r:.']],
    ['cat ~/.ssh/id_ed25519', ['r:/home/ada/.ssh/id_ed25519']],
    ['cat < /etc/passwd', ['r:/etc/passwd']],
    ['cat ../other/a', ['r:/work/other/a']],
    ['cat link/../a', ['r:link/../a']],
    ['cat src/*.ts', ['r:src']],
    ['cat "$file"', ['r:?']],
    ['cat ~root/x', ['r:?']],
    ['source env.sh', ['r:env.sh']],
    ['bash -x run.sh', ['r:run.sh']],
    ['python3 tool.py --verbose', ['r:tool.py']],
    ["sed -n '1,3p' a.txt", ['r:a.txt']],
    ["awk '{ print $1 }' a.txt", ['r:a.txt']],
    ['diff a b', ['r:a', 'r:b']],
    ['curl -d @body.json https://x.example', ['r:body.json']],
    ['curl -F file=@a.zip -T b.zip https://x.example', ['r:a.zip', 'r:b.zip']],
    ['find docs -name x -exec cat {} +', ['r:docs']],
    ['date -f list', ['r:list']],
    ['tree -L 2 --fromfile list', ['r:list']],
    ['tree --gitfile=../x --infofile notes src', ['r:/work/x', 'r:notes']],
    ['tree /etc', []],
    ['git diff --no-index a /etc/hosts', ['r:a', 'r:/etc/hosts']],
    ['base64 -D a', ['r:a']],
  ])('%s', (command, expected) => {
    expect(touched(command)).toEqual(expected);
  });
});

describe('files that a command writes', () => {
  it.each([
    ['echo a > out.txt', ['w:out.txt']],
    ['echo a >> out.txt 2>/dev/null', ['w:out.txt']],
    ['a &> log', ['w:log']],
    ['> infra/a.tf', ['w:infra/a.tf']],
    ['exec 3<> f', ['r:f', 'w:f']],
    ['{ a; b; } > out', ['w:out', 'w:out']],
    ['tee -a one two', ['w:one', 'w:two']],
    ['cp a b dir', ['r:a', 'r:b', 'w:dir']],
    ['cp -t dir a', ['r:a', 'w:dir']],
    ['mv a b', ['r:a', 'w:a', 'w:b']],
    ['ln -s /etc/passwd p', ['r:/etc/passwd', 'w:p']],
    ['rm -rf build', ['w:build']],
    ['mkdir -p a/b', ['w:a/b']],
    ['chmod -x run.sh', ['w:run.sh']],
    ['dd if=a of=b', ['r:a', 'w:b']],
    ['rsync -a --partial src/ h.example:dst', ['r:src']],
    ['curl -o out https://x.example', ['w:out']],
    ['curl -sO https://x.example/f', ['w:.']],
    ['wget -P dir https://x.example/f', ['w:dir']],
    ['sort -o out in', ['w:out', 'r:in']],
    ['sed -i s/a/b/ f', ['r:f', 'w:f']],
    ["sed 's/a/b/w copy' f", ['r:f', 'w:copy']],
    ['git diff --output=patch', ['w:patch', 'r:.git/objects']],
    ['git -C sub log --output x', ['w:sub/x']],
    ['git clone https://x.example/a.git there', ['w:there']],
    ['git init', ['w:.git (own)']],
    ['git mv a b', ['w:a', 'w:b']],
    ['find . -fprint list', ['w:list']],
    ['tar -czf a.tgz src', ['w:a.tgz', 'r:src']],
    ['tar xzf a.tgz -C /opt', ['r:a.tgz', 'w:/opt']],
    ['unzip a.zip -d out', ['r:a.zip', 'w:out']],
    ['7z x a.7z -o/usr/bin', ['r:a.7z', 'w:/usr/bin']],
    ['gzip a', ['r:a', 'w:a']],
    ['base64 --output=b a', ['w:b', 'r:a']],
    ["awk '{ print > $1 }' f", ['r:f', 'w:?']],
    ['patch < change.diff', ['r:change.diff', 'w:?']],
    ['touch "$a"', ['w:?']],
  ])('%s', (command, expected) => {
    expect(touched(command)).toEqual(expected);
  });
});

describe('commands that imply no file', () => {
  it.each([
    'ls /etc',
    'find / -name x',
    'stat /etc/passwd',
    'du -sh /var',
    'test -f /etc/passwd',
    'make',
    'git commit -m x',
    'echo a >/dev/null',
    'wget -O - https://x.example',
    'curl -so /dev/null https://x.example',
    'make | tee /dev/stderr',
    'dd if=/dev/zero of=/dev/null',
    'a 2>&1',
    "awk '$3 > 5 || /a|b/' ",
  ])('%s', (command) => {
    expect(touched(command)).toEqual([]);
  });
});

describe('the working folder', () => {
  it.each([
    ['cd sub && cat a', ['r:sub/a']],
    ['cd sub && cd .. && cat a', ['r:a']],
    ['cd /etc && cat passwd', ['r:/etc/passwd']],
    ['cd && cat a', ['r:/home/ada/a']],
    ['(cd sub); cat a', ['r:a']],
    ['cd sub | cat a', ['r:a']],
    ['bash -c "cd sub; cat a"; cat b', ['r:sub/a', 'r:a', 'r:b']],
    ['eval "cd sub" && cat a', ['r:sub/a', 'r:a']],
    ['cd "$d" && cat a', ['r:?']],
    ['cd a* && cat a', ['r:?']],
    ['cd sub; cat a', ['r:sub/a', 'r:a']],
    ['cd sub || exit 1; cat a', ['r:sub/a']],
    ['! cd sub && cat a', ['r:sub/a', 'r:a']],
    ['if cd sub; then cat a; fi', ['r:sub/a', 'r:a']],
    ['for i in 1 2; do cd ..; cat a; done', ['r:?']],
    ['f() { cd /; }; f; cat a', ['r:?']],
    ['pushd sub && cat a && popd && cat b', ['r:sub/a', 'r:b']],
    ['cd sub && cd - && cat a', ['r:a']],
    ['cd link && cat ../a', ['r:link/../a']],
    ['CDPATH=/etc; cd sub && cat a', ['r:?']],
    ['source env.sh; cat a', ['r:env.sh', 'r:?']],
    ['env -C sub cat a', ['r:sub/a']],
    ['cd .wrongstack && echo {} > config.json', ['w:.wrongstack/config.json']],
    ['HOME=/etc; cat ~/passwd', ['r:?']],
  ])('%s', (command, expected) => {
    expect(touched(command)).toEqual(expected);
  });
});

describe('hosts', () => {
  it.each([
    ['curl -sSL https://a.example/x', ['https://a.example/x']],
    ['curl a.example', ['http://a.example']],
    ['curl "https://a.example/$path"', ['https://a.example/']],
    ['curl "https://a.example$path"', [null]],
    ['curl "$url"', [null]],
    [
      'curl -x http://proxy.example:8080 https://a.example',
      ['https://a.example', 'http://proxy.example:8080'],
    ],
    ['wget https://a.example/x', ['https://a.example/x']],
    ['git clone https://a.example/r.git', ['https://a.example/r.git']],
    ['git clone git@a.example:o/r.git', ['ssh://a.example']],
    ['git fetch', [null]],
    ['git push https://a.example/r.git main', ['https://a.example/r.git']],
    ['git status', []],
    ['ssh -p 2222 me@a.example uptime', ['ssh://a.example:2222']],
    ['scp a me@a.example:/tmp', ['ssh://a.example']],
    ['rsync -a a b.example::module', ['ssh://b.example']],
    ['nc a.example 4444', ['tcp://a.example:4444']],
    ['telnet a.example 23', ['tcp://a.example:23']],
    ['echo x > /dev/tcp/a.example/80', ['tcp://a.example:80']],
    ['socat - TCP:a.example:443', ['tcp://a.example:443']],
  ])('%s', (command, expected) => {
    expect(hosts(command)).toEqual(expected);
  });

  it('belong to the command that talks to them', () => {
    expect(analyseCommand('ls | sudo curl https://a.example', HERE).hosts).toEqual([
      { url: 'https://a.example', command: 2 },
    ]);
  });
});
