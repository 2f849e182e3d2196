import { forbiddenRange } from './address-ranges.js';
import { parseAddress } from './ip-address.js';

describe('addresses', () => {
  it.each([
    ['::1', '00000000000000000000000000000001'],
    ['2001:DB8::a:1', '20010db8000000000000000000' + '0a0001'],
    ['::ffff:10.1.2.3', '00000000000000000000ffff0a010203'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['fe80::', 'fe800000000000000000000000000000'],
    ['10.0.0.255', '0a0000ff'],
  ])('reads %s', (text, hex) => {
    expect(Buffer.from(parseAddress(text) ?? []).toString('hex')).toBe(hex);
  });

  it.each(['', 'localhost', '1.2.3', '01.2.3.4', '1.2.3.4.5', 'fe80::1%eth0', ':::', '[::1]', ' 1.2.3.4'])(
    'takes %j for no address, which is forbidden',
    (text) => {
      expect(parseAddress(text)).toBeNull();
      expect(forbiddenRange(text)?.permittable).toBe(false);
    },
  );

  it.each([
    ['0.0.0.0', 'this network'],
    ['0.1.2.3', 'this network'],
    ['10.255.255.255', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.127.255.255', 'carrier-grade NAT'],
    ['100.100.100.200', 'cloud metadata'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', 'cloud metadata'],
    ['169.254.169.254', 'cloud metadata'],
    ['169.254.0.1', 'link-local'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.8', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.1.1', 'private'],
    ['198.18.0.7', 'benchmarking, used by proxies that answer DNS with made-up addresses'],
    ['198.19.255.255', 'benchmarking, used by proxies that answer DNS with made-up addresses'],
    ['203.0.113.9', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.250', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'reserved'],
    ['::ffff:127.0.0.1', 'loopback, IPv4-mapped'],
    ['::ffff:a9fe:a9fe', 'cloud metadata, IPv4-mapped'],
    ['::ffff:0:10.0.0.1', 'private, IPv4-translated'],
    ['64:ff9b::10.0.0.1', 'private, NAT64'],
    ['64:ff9b::a9fe:a9fe', 'cloud metadata, NAT64'],
    ['64:ff9b:1::1', 'local-use NAT64'],
    ['100::1', 'discard only'],
    ['2001::1', 'protocol assignments and Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['2002:808:808::1', '6to4'],
    ['3fff::1', 'documentation'],
    ['5f00::1', 'reserved'],
    ['fc00::1', 'private (unique local)'],
    ['fd00:ec2::254', 'cloud metadata'],
    ['fe80::1', 'link-local'],
    ['febf::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'reserved'],
  ])('forbids %s: %s', (address, what) => {
    expect(forbiddenRange(address)?.what).toBe(what);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2003::1',
    '::ffff:1.1.1.1',
    '64:ff9b::8.8.8.8',
  ])('takes %s for public', (address) => {
    expect(forbiddenRange(address)).toBeNull();
  });

  it('lets an administrator permit private ranges and never metadata, link-local or multicast', () => {
    const permittable = (address: string) => forbiddenRange(address)?.permittable;
    expect(
      ['10.0.0.1', '192.168.0.1', '127.0.0.1', '100.64.0.1', '198.18.0.7', 'fd12::1'].map(permittable),
    ).toEqual(Array(6).fill(true));
    expect(
      ['169.254.169.254', '169.254.1.1', 'fd00:ec2::254', '100.100.100.200', 'ff02::1', '0.0.0.0'].map(
        permittable,
      ),
    ).toEqual(Array(6).fill(false));
  });
});
