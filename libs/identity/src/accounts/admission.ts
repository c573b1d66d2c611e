import { Injectable } from '@nestjs/common';
import { Households } from '../households/households.js';
import { IdentityConfiguration } from '../surroundings.js';
import { foldEmail } from './email-address.js';

/**
 * Who may have an account: an address is admitted that matches `ALLOWED_EMAILS` or has a pending invite.
 * Whoever has an account already stays admitted.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly configuration: IdentityConfiguration,
    private readonly households: Households,
  ) {}

  async admits(emailFolded: string): Promise<boolean> {
    if (this.configuration.allowedEmails.some(entry => matches(foldEmail(entry), emailFolded))) return true;
    return (await this.households.inviting(emailFolded)).length > 0;
  }
}

/** An entry is `*`, `*@domain` or an address. A domain's subdomains are other domains. */
function matches(entry: string, emailFolded: string): boolean {
  if (entry === '*') return true;
  if (entry.startsWith('*@')) return emailFolded.slice(emailFolded.lastIndexOf('@')) === entry.slice(1);
  return entry === emailFolded;
}
