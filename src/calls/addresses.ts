/**
 * The address rule for calls to servers that projects name: by default none of them is on a loopback, link-local or private
 * address, so that nobody reaches through the platform what stands beside it.
 */
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { CallFailed } from './call-failed.ts';
import type { Names } from './names.ts';

export interface Lookup {
  readonly names: Names;
  readonly allowsPrivate: boolean;
}

/** How connections of the owner find addresses. Refuses private ones after they were found, so that no name hides one. */
export function lookupOf({ names, allowsPrivate }: Lookup, owner: string): LookupFunction {
  return (host, { all }, resolved) => {
    names(host, owner).then(
      (found) => {
        const addresses = found
          .filter((address) => allowsPrivate || !isPrivate(address))
          .map((address): LookupAddress => ({ address, family: isIP(address) }));
        const [first] = addresses;
        if (first === undefined) resolved(new CallFailed('address'), '');
        else if (all === true) resolved(null, addresses);
        else resolved(null, first.address, first.family);
      },
      (error: Error) => resolved(error, ''),
    );
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
