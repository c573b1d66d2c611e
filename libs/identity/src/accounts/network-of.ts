import { isIPv6, SocketAddress } from 'node:net';

/** An address with a port, as some proxies write it. */
const WITH_PORT = /^(?:\[(?<six>[^\]]*)\]|(?<four>\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;
/** An IPv4 address that is mapped into IPv6, as `SocketAddress` writes it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/;
/** The last two groups, where they are written as an IPv4 address. */
const DOTTED_END = /\d+\.\d+\.\d+\.\d+$/;
const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/**
 * The network that an address counts for: holders of an IPv6 address mostly have the whole /64 around it. Text that is not
 * an address counts for itself.
 */
export function networkOf(address: string): string {
  const { six, four } = WITH_PORT.exec(address)?.groups ?? {};
  const [bare = ''] = (six ?? four ?? address).split('%');
  if (!isIPv6(bare)) return four ?? address;
  const canonical = new SocketAddress({ address: bare, family: 'ipv6' }).address;
  return MAPPED.exec(canonical)?.[1] ?? `${groupsOf(canonical).slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

/** The groups of an IPv6 address, without what `::` leaves out. */
function groupsOf(canonical: string): readonly string[] {
  const [front = [], back = []] = canonical
    .replace(DOTTED_END, '0:0')
    .split('::')
    .map(part => part.split(':').filter(group => group !== ''));
  const zeros = Array<string>(GROUPS - front.length - back.length).fill('0');
  return [...front, ...zeros, ...back];
}
