import { names } from '../names.js';
import { hasOption, scanOptions } from '../option-scan.js';
import type { ShellWord } from '../shell-word.js';
import { byVerb, type DestructiveRule } from './rule.js';

const KUBE = {
  shape: {
    short: 'ns',
    long: ['namespace', 'context', 'kubeconfig', 'cluster', 'user', 'server', 'token', 'as'],
  },
};
const DOCKER_SHAPE = { short: 'Hlc', long: ['host', 'context', 'config', 'log-level'] };
const PRUNES = ['system', 'container', 'image', 'volume', 'network', 'builder', 'buildx'].map((what) => [
  what,
  'prune',
]);

/** Clusters, containers, clouds and databases. */
export const INFRASTRUCTURE_RULES: readonly DestructiveRule[] = [
  {
    programs: ['kubectl', 'oc', 'k3s', 'microk8s'],
    when: 'delete, drain, replace, cordon, taint, scale, rollout undo; not with --dry-run',
    why: 'removes or evicts what runs in a cluster',
    check: byVerb(
      [['delete'], ['drain'], ['replace'], ['cordon'], ['taint'], ['scale'], ['rollout', 'undo']],
      { ...KUBE, harmless: ['--dry-run', '--help'] },
    ),
  },
  {
    programs: ['helm'],
    when: 'uninstall, delete, rollback; not with --dry-run',
    why: 'removes what runs in a cluster',
    check: byVerb([['uninstall'], ['delete'], ['rollback'], ['del'], ['un']], {
      shape: { short: 'n', long: ['namespace', 'kube-context', 'kubeconfig'] },
      harmless: ['--dry-run', '--help'],
    }),
  },
  {
    programs: ['kind', 'minikube', 'k3d', 'eksctl', 'kops', 'vagrant', 'multipass', 'limactl', 'colima'],
    when: 'delete, destroy',
    why: 'removes a whole cluster or machine',
    check: byVerb([['delete'], ['destroy']]),
  },
  {
    programs: ['terraform', 'tofu', 'terragrunt', 'pulumi'],
    when: 'destroy, down, apply, taint, state rm, workspace delete, stack rm',
    why: 'changes or removes real infrastructure',
    check: byVerb([
      ['destroy'],
      ['down'],
      ['apply'],
      ['up'],
      ['taint'],
      ['state', 'rm'],
      ['workspace', 'delete'],
      ['stack', 'rm'],
      ['force-unlock'],
    ]),
  },
  {
    programs: ['docker', 'podman', 'nerdctl'],
    when: 'any prune, rm or rmi or volume rm with -f, kill, stop, swarm leave, compose down -v',
    why: 'removes containers, images and volumes with their data',
    check: (args, name) => checkContainers(args, name),
  },
  {
    programs: ['docker', 'podman', 'nerdctl'],
    when: 'run, create or exec with --privileged, the host’s namespaces, its root or its control socket',
    why: 'a container that is the machine',
    check: (args, name) => checkEscape(args, name),
  },
  {
    programs: ['docker-compose', 'podman-compose'],
    when: 'down -v, rm -f, kill',
    why: 'removes containers and volumes with their data',
    check: (args, name) => checkCompose(args, name),
  },
  {
    programs: names(`
      aws az gcloud doctl oci ibmcloud linode-cli hcloud scw heroku gsutil s3cmd rclone mc azcopy bq
    `),
    when: 'an operand that deletes, terminates, destroys, purges or empties',
    why: 'removes real infrastructure and its data',
    check: (args, name) => checkCloud(args, name),
  },
  {
    programs: names(`
      dropdb dropuser mysqladmin redis-cli mongo mongosh rails rake prisma flyway alembic sequelize
      knex typeorm etcdctl
    `),
    when: 'dropdb and dropuser always; else an operand that drops, flushes, resets or deletes',
    why: 'removes data',
    check: (args, name) => checkDatabase(args, name),
  },
];

function checkContainers(args: readonly ShellWord[], name: string): string | null {
  const scanned = scanOptions(args, { ...DOCKER_SHAPE, stopAtOperand: true });
  const [verb, ...rest] = scanned.operands;
  if (verb === undefined) return null;
  if (verb.value === null) return `${name} with a sub-command that is not static`;
  const second = rest[0]?.value;
  if (PRUNES.some(([what]) => what === verb.value && (second === 'prune' || second === null)))
    return `${name} ${verb.value} prune`;
  if (verb.value === 'compose') return checkCompose(rest, `${name} compose`);
  const action =
    /^(?:container|image|volume|network|swarm|node|service|stack|secret|config|pod|machine)$/.test(verb.value)
      ? second
      : verb.value;
  if (action === 'kill' || action === 'stop' || action === 'leave') return `${name} ${action}`;
  if (action !== 'rm' && action !== 'rmi' && action !== 'remove') return null;
  const options = scanOptions(rest);
  return verb.value === 'volume' ||
    verb.value === 'stack' ||
    verb.value === 'service' ||
    options.dynamic ||
    hasOption(options, '-f', '--force', '-v', '--volumes')
    ? `${name} ${action}`
    : null;
}

function checkCompose(args: readonly ShellWord[], name: string): string | null {
  const scanned = scanOptions(args, {
    short: 'fp',
    long: ['file', 'project-name', 'profile', 'env-file', 'project-directory'],
    stopAtOperand: true,
  });
  const [verb, ...rest] = scanned.operands;
  if (verb === undefined) return null;
  if (verb.value === null) return `${name} with a sub-command that is not static`;
  const options = scanOptions(rest);
  if (verb.value === 'kill') return `${name} kill`;
  if (verb.value === 'down')
    return options.dynamic || hasOption(options, '-v', '--volumes', '--rmi') ? `${name} down -v` : null;
  return verb.value === 'rm' && (options.dynamic || hasOption(options, '-f', '-v', '--force'))
    ? `${name} rm -f`
    : null;
}

const HOST_MOUNT =
  /^(?:\/:|type=bind,(?:.*,)?(?:source|src)=\/(?:,|$)|(?:.*=)?\/var\/run\/docker\.sock|(?:.*=)?\/run\/docker\.sock|\/(?:etc|root|proc|sys|boot|dev)(?:\/|:))/;

function checkEscape(args: readonly ShellWord[], name: string): string | null {
  const verb = scanOptions(args, { ...DOCKER_SHAPE, stopAtOperand: true }).operands[0]?.value;
  if (verb !== 'run' && verb !== 'create' && verb !== 'exec' && verb !== 'container') return null;
  for (const [index, word] of args.entries()) {
    const text = word.value;
    if (text === null) {
      if (word.splits || word.lead === '') return `${name} ${verb} with options that are not static`;
      continue;
    }
    if (/^--privileged(?:=true)?$/.test(text)) return `${name} --privileged`;
    if (
      /^--(?:pid|ipc|userns|uts|cgroupns)=host$/.test(text) ||
      /^--(?:cap-add|device|security-opt)(?:=|$)/.test(text)
    )
      return `${name} ${text.split('=')[0] ?? text}`;
    const value = /^(?:-v|--volume|--mount)$/.test(text)
      ? (args[index + 1]?.value ?? '')
      : /^(?:--volume=|--mount=|-v)(.+)$/.exec(text)?.[1];
    if (value !== undefined && HOST_MOUNT.test(value)) return `${name} with the host's files`;
  }
  return null;
}

const CLOUD_VERB =
  /^(?:delete|destroy|terminate|purge|remove|rb|rm|del|deletefile|reset|empty|detach|revoke|deregister|disable|stop|kill|drain|wipe)(?:$|[-:])|:(?:destroy|delete|reset|remove|stop)$/i;

function checkCloud(args: readonly ShellWord[], name: string): string | null {
  const scanned = scanOptions(args, {
    long: ['region', 'profile', 'output', 'query', 'project', 'format', 'resource-group', 'name'],
    short: 'gno',
  });
  if (scanned.operands.some((word) => word.value === null && (word.splits || word.lead === '')))
    return `${name} with words that are not static`;
  const verb = scanned.operands.slice(0, 4).find((word) => CLOUD_VERB.test(word.value ?? ''));
  if (verb !== undefined) return `${name} ${verb.value ?? ''}`;
  return hasOption(scanned, '--delete', '--purge', '--remove-source') ||
    (name === 'rclone' && scanned.operands[0]?.value === 'sync')
    ? `${name} with deletion`
    : null;
}

function checkDatabase(args: readonly ShellWord[], name: string): string | null {
  if (name === 'dropdb' || name === 'dropuser') return name;
  const verb = args.find((word) =>
    /(?:^|[:_\s])(?:drop|flushall|flushdb|reset|purge|clean|undo|downgrade|del|shutdown)(?:$|[:_\s])|dropDatabase|db:(?:drop|reset)|--force-reset/i.test(
      word.value ?? '',
    ),
  );
  return verb === undefined ? null : `${name} ${verb.value ?? ''}`.slice(0, 60);
}
