interface ErrorKind {
  readonly status: number;
  /** The sentence that a person reads where the thrower gives none. */
  readonly message: string;
  /** When this code is answered, for the API reference. */
  readonly when: string;
}

const kind = (status: number, message: string, when: string): ErrorKind => ({ status, message, when });

/** Every error code that the service answers, with its status. A code is never reused for another meaning. */
export const ERRORS = {
  invalid_json: kind(400, 'The body is not valid JSON.', 'The body is not JSON in UTF-8.'),
  invalid_cursor: kind(
    400,
    'The cursor is not valid for this request. Leave it out to start at the first page.',
    'The cursor is malformed, was tampered with, or belongs to other filters or another household.',
  ),
  malformed_request: kind(400, 'The request is not valid HTTP.', 'The request could not be read as HTTP.'),
  unauthenticated: kind(
    401,
    'Sign in, or send a valid token.',
    'The credential is missing, wrong, expired or revoked, or is a cookie on a cross-origin call.',
  ),
  invalid_credentials: kind(
    401,
    'E-mail or password is wrong.',
    'The e-mail address or the password is wrong.',
  ),
  email_not_verified: kind(
    403,
    'This e-mail address has not been verified yet.',
    'The password is right, but the address has not been verified yet.',
  ),
  session_required: kind(
    403,
    'This needs a signed-in session; a personal access token cannot do it.',
    'A personal access token was used where only a session may act.',
  ),
  insufficient_scope: kind(
    403,
    'The token lacks the scope that this needs.',
    'The token lacks the scope named in `details.required_scope`.',
  ),
  not_a_member: kind(
    403,
    'You are not a member of this household.',
    'The caller is not a current member of the household, or it does not exist.',
  ),
  not_invited: kind(
    403,
    'Your address is verified, but you have not been invited yet.',
    'The address is verified but not invited.',
  ),
  owner_required: kind(
    403,
    'Only an owner of the household may do this.',
    'The caller is a member, and only an owner may do this.',
  ),
  not_found: kind(
    404,
    'The requested resource does not exist.',
    'Something that the request names does not exist; `details.resource` is its kind.',
  ),
  method_not_allowed: kind(
    405,
    'This path does not take this method.',
    'The path exists, but takes other methods; `Allow` names them.',
  ),
  request_timeout: kind(408, 'The request did not arrive in time.', 'The request took too long to arrive.'),
  month_exists: kind(409, 'This month already exists.', 'The month was created before.'),
  transaction_id_conflict: kind(
    409,
    'Another transaction has this id.',
    'A transaction with this id but other content was created before.',
  ),
  transaction_deleted: kind(
    409,
    'This transaction is deleted. Restore it first.',
    'The transaction is deleted and can only be restored.',
  ),
  already_a_fund: kind(409, 'This item is already a fund.', 'The item is a fund already.'),
  already_a_member: kind(
    409,
    'This person is already a member of the household.',
    'The invited person is a member already.',
  ),
  last_owner: kind(
    409,
    'A household needs an owner. Name another one first.',
    'The last owner cannot leave, be removed or be demoted. On deletion of an account, `details.household_ids` ' +
      'lists the households whose other members would have no owner.',
  ),
  personal_household: kind(
    409,
    'A personal household can neither be archived nor left nor deleted.',
    'A personal household can neither be archived nor left; it is deleted with the account.',
  ),
  invite_not_pending: kind(
    409,
    'This invite is no longer open.',
    'The invite was accepted, declined, revoked or replaced, or has expired.',
  ),
  undo_blocked: kind(
    409,
    'A later change prevents this undo.',
    'A later command changed the same things; `details.by_event_id` is its event.',
  ),
  already_in_month: kind(409, 'The month already has this.', 'The group or item is in this month already.'),
  idempotency_key_conflict: kind(
    409,
    'This idempotency key was used for another command.',
    'The same `Idempotency-Key` was sent with another command within 24 hours.',
  ),
  conflict: kind(
    409,
    'Somebody else changed this at the same moment. Try again.',
    'A concurrent change won after several retries. Otherwise `details.reason` is `archived` (the household) or ' +
      '`limit_reached` (with `details.limit`).',
  ),
  invalid_link: kind(410, 'This link is no longer valid.', 'The link is malformed, expired or already used.'),
  precondition_failed: kind(412, 'This has changed since you read it.', 'The `If-Match` header is stale.'),
  payload_too_large: kind(
    413,
    'The body is larger than 1 MiB.',
    'The body is larger than 1 MiB, or than 8 MiB for a batch or a file.',
  ),
  unsupported_media_type: kind(
    415,
    'Send the body as application/json in UTF-8, not compressed.',
    'The body is not `application/json` in UTF-8, or a file of no type that the operation takes.',
  ),
  validation_failed: kind(
    422,
    'Some fields of the request are not valid.',
    'Fields of the body, the path, the query or a header are not valid; `details.fields` names each.',
  ),
  import_unreadable: kind(
    422,
    'This file cannot be imported.',
    'The file cannot be imported; `details.reason` is `unknown_format`, `no_rows`, `no_date_column`, ' +
      '`no_amount_column` or `too_many_rows`, and `details.columns` names its columns, if it has any.',
  ),
  item_not_in_month: kind(
    422,
    'An item in the request is not in that month.',
    'An item in the body is not in the month; see `details.item_id` and `details.month`.',
  ),
  splits_total_mismatch: kind(
    422,
    'The splits do not add up to the amount.',
    'The splits do not add up to the amount; see `details.amount` and `details.splits_total`.',
  ),
  not_harvestable: kind(
    422,
    'There is nothing to harvest from this item.',
    'The item cannot be harvested; `details.reason` is `income`, `fund` or `nothing_remaining`.',
  ),
  figure_out_of_range: kind(
    422,
    'A figure would become too large.',
    'A figure would leave the range of exact integers, ±(2^53 − 1).',
  ),
  month_full: kind(
    422,
    'This month is full.',
    'The month has reached a limit; see `details.limit` and `details.max`.',
  ),
  batch_too_large: kind(
    422,
    'These operations are too large to be recorded together.',
    'The operations do not fit into one record; `details.operations_max` of them, the first ones, do. Of an undo: the ' +
      'transactions of a batch have become too long since.',
  ),
  not_a_fund: kind(422, 'This item is not a fund.', 'The item is not a fund.'),
  income_item: kind(422, 'An income item cannot be a fund.', 'An income item cannot be a fund.'),
  income_group: kind(
    422,
    'The income group cannot be deleted or reordered.',
    'The income group cannot be deleted or reordered.',
  ),
  kind_mismatch: kind(
    422,
    'An item cannot move between income and expenses.',
    'An item cannot move between income and expense groups.',
  ),
  order_mismatch: kind(
    422,
    'The list must contain exactly the entries to order.',
    'The list must contain exactly the things to order; see `details.missing` and `details.unexpected`.',
  ),
  household_full: kind(
    422,
    'This household is full.',
    'The household has reached a limit; see `details.limit` and `details.max`.',
  ),
  rate_limited: kind(
    429,
    'Too many requests. Try again in a moment.',
    'The token has exceeded its rate limit; retry after `Retry-After` seconds.',
  ),
  too_many_attempts: kind(
    429,
    'Too many attempts. Try again later.',
    'There were too many failed sign-ins; retry after `Retry-After` seconds.',
  ),
  headers_too_large: kind(
    431,
    'The address and headers of the request are too long.',
    'The address and headers together are longer than 16 KiB.',
  ),
  internal: kind(
    500,
    'Something went wrong on our side.',
    'The service failed; quote the `request_id` when you report it.',
  ),
  unavailable: kind(
    503,
    'The service cannot do this right now. Try again in a moment.',
    'A store is down, or too many requests wait; retry after `Retry-After` seconds. The command was recorded completely or not at all.',
  ),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** After how many seconds a client may try again when a store is down. */
export const UNAVAILABLE_RETRY_SECONDS = 2;

/** What may be missing, as a person reads it. */
const MISSING = {
  route: 'There is no such route.',
  month: 'This household has no budget for this month.',
  group: 'This household has no such group.',
  item: 'This household has no such item.',
  transaction: 'This household has no such transaction.',
  member: 'This household has no such member.',
  invite: 'There is no such invite.',
  token: 'You have no such token.',
  session: 'You have no such session.',
} as const;

export type Resource = keyof typeof MISSING;

/** One field that is not valid: its place (`splits.0.amount`, a parameter's or a header's name) and a sentence. */
export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

interface ApiErrorOptions {
  /** A sentence for a person, where it can say more than the code's own. */
  readonly message?: string;
  /** Response headers, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An error as the caller of the API gets it. Nothing in it may be secret. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    readonly details: Readonly<Record<string, unknown>> = {},
    options: ApiErrorOptions = {},
  ) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.status = ERRORS[code].status;
    this.headers = options.headers ?? {};
  }
}

/** `404 not_found` for a kind of thing. @param message where the kind says too little */
export function notFound(resource: Resource, message: string = MISSING[resource]): ApiError {
  return new ApiError('not_found', { resource }, { message });
}

export function validationFailed(fields: readonly FieldProblem[]): ApiError {
  const [first] = fields;
  if (first === undefined) return new ApiError('validation_failed', { fields });
  const more = fields.length > 1 ? ` (and ${fields.length - 1} more)` : '';
  return new ApiError('validation_failed', { fields }, { message: `${first.path}: ${first.message}${more}` });
}

/** `409 conflict` where one of the service's limits is reached. */
export function limitReached(message: string, limit: number): ApiError {
  return new ApiError('conflict', { reason: 'limit_reached', limit }, { message });
}

/** An error of which the caller may try again. @param seconds at least 1 */
export function retryLater(
  code: 'rate_limited' | 'too_many_attempts' | 'unavailable',
  seconds: number,
): ApiError {
  return new ApiError(code, {}, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) } });
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERRORS, code);
}
