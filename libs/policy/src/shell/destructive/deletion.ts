import { names } from '../names.js';
import { hasOption, makesHarmless, scanOptions } from '../option-scan.js';
import { isRawDevice } from '../redirects.js';
import { always, byVerb, isSystemPath, type DestructiveRule } from './rule.js';

/** Recursive or forced deletion, and tools that rewrite disks, partitions, modes and owners. */
export const DELETION_RULES: readonly DestructiveRule[] = [
  {
    programs: ['rm', 'grm'],
    when: 'with -r, -R, -f, --recursive or --force in any cluster or abbreviation, or of what find, xargs or parallel fill in',
    why: 'removes whole trees, or what the file mode protects, without a question',
    check: (args) => {
      const scanned = scanOptions(args);
      const recursive = hasOption(scanned, '-r', '-R', '--recursive');
      const forced = hasOption(scanned, '-f', '--force');
      if (recursive || forced) return `rm -${recursive ? 'r' : ''}${forced ? 'f' : ''}`;
      if (hasOption(scanned, '--no-preserve-root')) return 'rm --no-preserve-root';
      // What `find` fills in is whatever it finds, so this is `find -delete` by another name.
      if (args.some((word) => word.value === null && word.text.includes('{}')))
        return 'rm of all that is found';
      return scanned.dynamic ? 'rm with options that are not static' : null;
    },
  },
  {
    programs: ['shred', 'srm', 'wipe', 'trash-empty', 'rimraf'],
    when: 'every call',
    why: 'overwrites or purges content, so that nothing can bring it back',
    check: always(),
  },
  {
    programs: ['find', 'gfind', 'bfs'],
    when: 'with -delete',
    why: 'deletes everything that the search matches',
    check: (args) => {
      if (args.some((word) => word.value === '-delete')) return 'find -delete';
      return args.some((word) => word.value === null && (word.splits || /^-?$/.test(word.lead)))
        ? 'find with an expression that is not static'
        : null;
    },
  },
  {
    programs: ['dd'],
    when: 'with of= below /dev, or an operand that is not static',
    why: 'writes blocks straight onto a device',
    check: (args) => {
      const device = args.some((word) => {
        const output = /^of=(.*)$/s.exec(word.value ?? '')?.[1];
        return (
          output !== undefined &&
          output.startsWith('/dev/') &&
          !/^\/dev\/(?:null|stdout|stderr|fd\/\d+)$/.test(output)
        );
      });
      if (device) return 'dd onto a device';
      const unknown = args.some(
        (word) => word.value === null && ('of='.startsWith(word.lead) || word.lead.startsWith('of=')),
      );
      return unknown ? 'dd onto a file that is not static' : null;
    },
  },
  {
    programs: ['rsync'],
    when: 'with --del, --delete in any form or --remove-source-files; not with -n or --dry-run',
    why: 'deletes whatever the other side does not hold',
    check: (args) => {
      const scanned = scanOptions(args, { exact: true, short: 'efBTM' });
      if (makesHarmless(scanned, '-n', '--dry-run', '--list-only')) return null;
      const option = scanned.options.find(({ name }) => /^--(?:del|remove-s)/.test(name));
      if (option !== undefined) return `rsync ${option.name}`;
      return scanned.dynamic ? 'rsync with options that are not static' : null;
    },
  },
  {
    programs: ['tar', 'gtar', 'bsdtar', 'zip'],
    when: 'tar with --remove-files; zip with -m or --move',
    why: 'deletes what it has packed',
    check: (args, name) => {
      const scanned = scanOptions(args, { short: 'fCTXbIg' });
      const removes =
        name === 'zip' ? hasOption(scanned, '-m', '--move') : hasOption(scanned, '--remove-files');
      return removes ? `${name} that removes its sources` : null;
    },
  },
  {
    programs: ['robocopy'],
    when: 'with /MIR, /PURGE, /MOV or /MOVE',
    why: 'deletes whatever the other side does not hold',
    check: (args) =>
      args.some((word) => /^\/(?:mir|purge|move?)$/i.test(word.value ?? '')) ? 'robocopy that deletes' : null,
  },
  {
    programs: ['cp', 'mv', 'tee', 'install'],
    when: 'with a raw device as an operand that is written',
    why: 'writes straight onto a disk or the memory',
    check: (args, name) => (args.some((word) => isRawDevice(word.value)) ? `${name} onto a device` : null),
  },
  {
    programs: names(`
      mkfs mke2fs mkswap mkdosfs newfs cfdisk gdisk sgdisk wipefs blkdiscard mdadm lvremove vgremove
      pvremove lvreduce tune2fs badblocks diskpart format
    `),
    when: 'every call, every mkfs.* included; wipefs with -n or --no-act only reports',
    why: 'makes or removes file systems, partitions and volumes',
    check: always('--no-act', '-n'),
  },
  {
    programs: ['fdisk', 'sfdisk', 'parted'],
    when: 'every call but -l and --list',
    why: 'edits the partition table',
    check: always('-l', '--list', '--list-types', '-d', '--dump'),
  },
  {
    programs: ['cryptsetup'],
    when: 'luksFormat, erase, luksErase, luksKillSlot, luksRemoveKey',
    why: 'loses the key to a volume, and so its content',
    check: byVerb([['luksFormat'], ['erase'], ['luksErase'], ['luksKillSlot'], ['luksRemoveKey']]),
  },
  {
    programs: ['zfs', 'zpool', 'btrfs'],
    when: 'destroy, rollback, labelclear, subvolume delete',
    why: 'destroys file systems and snapshots',
    check: byVerb([['destroy'], ['rollback'], ['labelclear'], ['subvolume', 'delete']]),
  },
  {
    programs: ['diskutil'],
    when: 'eraseDisk, eraseVolume, partitionDisk, secureErase, apfs deleteVolume and the like',
    why: 'erases or repartitions disks',
    check: byVerb([
      ['eraseDisk'],
      ['eraseVolume'],
      ['partitionDisk'],
      ['secureErase'],
      ['zeroDisk'],
      ['reformat'],
      ['apfs', 'deleteVolume'],
      ['apfs', 'deleteContainer'],
    ]),
  },
  {
    programs: ['chmod', 'gchmod'],
    when: 'recursive, world-writable or set-id modes, on system paths, or words that are not static',
    why: 'opens files to everybody or makes a tree unusable; the old modes are not kept',
    check: (args) => {
      const scanned = scanOptions(args, { long: ['reference'] });
      if (hasOption(scanned, '-R', '--recursive')) return 'chmod -R';
      if (args.some((word) => word.value === null)) return 'chmod with words that are not static';
      if (scanned.operands.some((word) => isSystemPath(word))) return 'chmod of a system path';
      return isWideMode(args.find((word) => /^[-+=0-7ugoa]/.test(word.value ?? ''))?.value ?? '')
        ? 'chmod to a world-writable or set-id mode'
        : null;
    },
  },
  {
    programs: names(`
      chown chgrp gchown chattr chflags setfacl setcap icacls takeown cacls attrib
    `),
    when: 'every call',
    why: 'changes who owns or may open files; the old state is not kept',
    check: always(),
  },
  {
    programs: ['del', 'erase', 'rd', 'cipher', 'Remove-Item', 'vssadmin'],
    when: 'every call',
    why: 'Windows commands that delete or overwrite',
    check: always(),
  },
];

/** 777, 666, 4755, o+w, a+rwx, +s. */
function isWideMode(mode: string): boolean {
  if (/^[0-7]{3,5}$/.test(mode)) {
    return /[2367]$/.test(mode) || (mode.length > 3 && /[2-7]/.test(mode.slice(0, -3)));
  }
  return mode
    .split(',')
    .some((clause) => /^[ug]*[+=]\w*s/.test(clause) || /^(?:[ug]*[oa][ugoa]*)[+=]\w*w/.test(clause));
}
