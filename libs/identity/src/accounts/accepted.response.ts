import { ApiSchema } from '@nestjs/swagger';

@ApiSchema({
  name: 'Accepted',
  description: 'Empty: the same for every address, whether it is new, unverified or taken',
})
/** What strangers hear who ask for a mail: nothing that tells whether the address is known. */
export class AcceptedResponse {}
