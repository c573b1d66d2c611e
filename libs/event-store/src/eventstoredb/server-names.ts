import { isIP } from 'node:net';
import { credentials, type ChannelCredentials } from '@grpc/grpc-js';

/** What grpc-js gives to `tls.connect`, as far as it is looked at here. */
interface SecureConnector {
  readonly connectionOptions?: { servername?: string };
}

let addressesAreNamed = true;

/**
 * Keeps connections over TLS from naming an IP address as the server that they want (SNI), which RFC 6066, section 3,
 * allows for host names alone: grpc-js 1.14 names whatever the address is. Node up to 24 warns of that; with Node 26 no
 * connection to such an address comes about, also none to those that a cluster tells of its nodes. The certificate is
 * checked against the address all the same.
 *
 * This holds for all channels of the process, since the client keeps its credentials to itself.
 */
export function nameNoAddresses(): void {
  if (!addressesAreNamed) return;
  addressesAreNamed = false;
  const secure = Object.getPrototypeOf(credentials.createSsl()) as ChannelCredentials;
  const create = secure._createSecureConnector;
  secure._createSecureConnector = function (...connection) {
    const connector = create.apply(this, connection);
    const { connectionOptions } = connector as SecureConnector;
    if (isIP(connectionOptions?.servername ?? '') !== 0) delete connectionOptions?.servername;
    return connector;
  };
}
