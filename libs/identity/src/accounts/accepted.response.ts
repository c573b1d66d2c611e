import { ApiSchema } from '@nestjs/swagger';

@ApiSchema({
  name: 'Accepted',
  description: 'Empty: the same for every address, whether it is new, unverified or taken',
})
export class AcceptedResponse {}
