import { Module } from '@nestjs/common';
import { IdentityServicesModule } from './identity-services.module.js';
import { IdentityJobs } from './mails/identity-jobs.js';
import { MailDelivery } from './mails/mail-delivery.js';

/**
 * Sends the mails that are owed and keeps house, in a process that works in the background.
 *
 * Needs what `IdentityServicesModule` needs, and `Mailer`.
 */
@Module({
  imports: [IdentityServicesModule],
  providers: [MailDelivery, IdentityJobs],
  exports: [MailDelivery, IdentityJobs],
})
export class IdentityJobsModule {}
