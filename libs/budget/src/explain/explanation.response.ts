import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Amount, At, Id, OneOf, Text } from '#http/response-fields';
import type { ExplainedFigure, Source, Term } from '#projections/explanation';

@ApiSchema({ name: 'FigureSource', description: 'Where an amount comes from' })
class SourceResponse implements Source {
  @OneOf(['transaction', 'event', 'month'], 'What `id` names', 'transaction')
  readonly kind!: Source['kind'];

  @Text('The id of the transaction or the event, or the month', '2026-01')
  readonly id!: string;

  @Amount('Signed', -1500)
  readonly amount!: number;

  @At('When it was recorded; null for a month', { nullable: true })
  readonly at!: string | null;

  @Text('A label for people: the merchant, the item or the kind of event', 'Costco')
  readonly label!: string;
}

@ApiSchema({ name: 'FigureTerm', description: 'A part of a figure: the sum of its sources' })
class TermResponse implements Term {
  @Text('Its name', 'expenses')
  readonly term!: string;

  @Amount('Signed', -1500)
  readonly amount!: number;

  @ApiProperty({ type: [SourceResponse], description: 'They add up to the amount' })
  readonly sources!: readonly SourceResponse[];
}

@ApiSchema({ name: 'ExplainedFigure', description: 'A figure: the sum of its terms' })
class FigureResponse implements ExplainedFigure {
  @Text('Its name', 'remaining')
  readonly figure!: string;

  @Amount('As the month shows it', 57500)
  readonly value!: number;

  @ApiProperty({ type: [TermResponse], description: 'They add up to the value' })
  readonly terms!: readonly TermResponse[];
}

/** The answer of both `explain` routes: of a month, and of one of its items. Amounts are minor units. */
@ApiSchema({ name: 'Explanation', description: 'How figures are computed' })
export class ExplanationResponse {
  @Text('The month', '2026-01')
  readonly month!: string;

  @Id('The item; null for the month itself', { nullable: true })
  readonly item_id!: string | null;

  @ApiProperty({ type: [FigureResponse], description: 'The figures of the item or the month' })
  readonly figures!: readonly FigureResponse[];
}
