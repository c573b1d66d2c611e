import { domainToASCII } from 'node:url';

/**
 * The form by which addresses are compared, so that one mailbox is one address: trimmed, in lower case, the domain as
 * DNS has it (UTS 46). Domains are mapped from their own letters, as mail goes there: lower case is not always the same.
 */
export function foldEmail(email: string): string {
  const address = email.trim().normalize('NFC');
  const domain = address.lastIndexOf('@') + 1;
  const ascii = domainToASCII(address.slice(domain));
  return ascii === '' ? address.toLowerCase() : address.slice(0, domain).toLowerCase() + ascii;
}

/** How an address is written, but for its letter case. Addresses were once compared by this. */
export function spellingOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
