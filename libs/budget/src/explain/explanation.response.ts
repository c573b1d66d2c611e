import { ApiSchema } from '@nestjs/swagger';
import { Amount, At, Id, ListOf, OneOf, ResponseOf, Text } from '#http/response-fields';
import type { ExplainedFigure, Source, Term } from '#projections/explanation';

const nullable = true;

@ApiSchema({ name: 'FigureSource', description: 'Where an amount comes from' })
class SourceResponse
  extends ResponseOf({
    kind: OneOf(['transaction', 'event', 'month'], 'What `id` names', 'transaction'),
    id: Text('The id of the transaction or the event, or the month', '2026-01'),
    amount: Amount('Signed', -1500),
    at: At('When it was recorded; null for a month', { nullable }),
    label: Text('A label for people: the merchant, the item or the kind of event', 'Costco'),
  })
  implements Source {}

@ApiSchema({ name: 'FigureTerm', description: 'A part of a figure: the sum of its sources' })
class TermResponse
  extends ResponseOf({
    term: Text('Its name', 'expenses'),
    amount: Amount('Signed', -1500),
    sources: ListOf(SourceResponse, 'They add up to the amount'),
  })
  implements Term {}

@ApiSchema({ name: 'ExplainedFigure', description: 'A figure: the sum of its terms' })
class FigureResponse
  extends ResponseOf({
    figure: Text('Its name', 'remaining'),
    value: Amount('As the month shows it', 57500),
    terms: ListOf(TermResponse, 'They add up to the value'),
  })
  implements ExplainedFigure {}

/** The answer of both `explain` routes: of a month, and of one of its items. Amounts are minor units. */
@ApiSchema({ name: 'Explanation', description: 'How figures are computed' })
export class ExplanationResponse extends ResponseOf({
  month: Text('The month', '2026-01'),
  item_id: Id('The item; null for the month itself', { nullable }),
  figures: ListOf(FigureResponse, 'The figures of the item or the month'),
}) {}
