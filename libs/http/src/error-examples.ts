import { ApiError, notFound, validationFailed, type FieldProblem, type Resource } from './api-error.js';
import type { Route } from './routes.js';
import { Problems, reportUnknown } from './shape.js';

/** An example of an error, as @nestjs/swagger collects it from `Fails`. */
export interface ErrorExample {
  readonly summary: string;
  readonly value: { message: string; details: Readonly<Record<string, unknown>> };
}

/** What `not_found` names, by the last parameter of the path. */
const RESOURCES: Readonly<Record<string, Resource>> = {
  month: 'month',
  groupId: 'group',
  itemId: 'item',
  transactionId: 'transaction',
  userId: 'member',
  inviteId: 'invite',
  token: 'invite',
  tokenId: 'token',
  sessionId: 'session',
};

/** The example of a code that fits one route, and its name among all examples: the code, and what it depends on. */
export function exampleFor(code: string, general: ErrorExample, route: Route): [string, ErrorExample] {
  const own = specific(code, route);
  if (own === undefined) return [code, general];
  const { message, details } = own.error;
  return [`${code}.${own.of}`, { ...general, value: { ...general.value, message, details } }];
}

interface Specific {
  /** The scope, the resource, the parameter or the operation that the example is of. */
  readonly of: string;
  readonly error: Pick<ApiError, 'message' | 'details'>;
}

function specific(code: string, route: Route): Specific | undefined {
  if (code === 'insufficient_scope') {
    const scope = route.access?.scopes[0] ?? route.access?.anyOf[0];
    const error = new ApiError(code, { required_scope: scope });
    return scope === undefined ? undefined : { of: scope.replace(':', '_'), error };
  }
  if (code === 'not_found') {
    const resource = RESOURCES[/:(\w+)[^:]*$/.exec(route.path)?.[1] ?? ''];
    return resource === undefined ? undefined : { of: resource, error: notFound(resource) };
  }
  if (code === 'validation_failed') {
    const [of, problems] = sampleProblems(route);
    return { of, error: validationFailed(problems) };
  }
  return undefined;
}

/** How the route refuses an empty body, else a malformed path parameter, else an unknown parameter. */
function sampleProblems({ plan, operationId }: Route): [string, readonly FieldProblem[]] {
  const problems = new Problems();
  plan.body?.read({}, '', problems);
  if (problems.fields.length > 0) return [operationId, problems.fields];
  for (const [name, { problem }] of plan.path) {
    const wrong = problem('x');
    if (wrong !== null) return [name, [{ path: name, message: wrong }]];
  }
  reportUnknown('parameter', 'colour', '', problems);
  return ['unknown', problems.fields];
}
