import { Command, Query } from '@nestjs/cqrs';

/** A command, with what it asks for by name. */
export abstract class CommandOf<Asked extends object, Result = void> extends Command<Result> {
  constructor(readonly asked: Readonly<Asked>) {
    super();
  }
}

/** A query, with what it asks for by name. */
export abstract class QueryOf<Asked extends object, Result> extends Query<Result> {
  constructor(readonly asked: Readonly<Asked>) {
    super();
  }
}
