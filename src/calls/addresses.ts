/**
 * The address rule for calls to servers that projects name: by default none of them is on a loopback, link-local or private
 * address, so that nobody reaches through the platform what stands beside it.
 */
import { lookup as resolveHost, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { CallFailed } from './call-failed.ts';

type Resolved = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Refuses names of private addresses after they were resolved, so that no name hides one. */
export function lookupThat(allowsPrivate: boolean): (host: string, options: LookupOptions, resolved: Resolved) => void {
  return (host, options, resolved) => {
    resolveHost(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return resolved(error, '');
      const allowed = allowsPrivate ? addresses : addresses.filter(({ address }) => !isPrivate(address));
      const [first] = allowed;
      if (first === undefined) return resolved(new CallFailed('address'), '');
      if (options.all === true) return resolved(null, [...allowed]);
      return resolved(null, first.address, first.family);
    });
  };
}

/** Ranges of addresses that are not public: loopback, link-local, private, shared, reserved and multicast ones. */
const private4 = rangesOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A cloud's own services, at every machine of it.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);
const private6 = rangesOf('ipv6', [
  // The unspecified and the loopback address, and all that hold an address of IPv4.
  ['::', 32],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** In lists of their own: a list takes addresses of IPv4 for some of IPv6. */
function rangesOf(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

export function isPrivate(address: string): boolean {
  return isIP(address) === 6 ? private6.check(address, 'ipv6') : private4.check(address, 'ipv4');
}
