import type { components } from './generated.js';

type ErrorBody = components['schemas']['ErrorBody'];

/** A refusal or failure of the service, thrown. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The error for programs: `not_found`, `validation_failed` … `unreadable` for an answer that is not the service's. */
    readonly code: ErrorBody['code'] | 'unreadable',
    /** A sentence for people. */
    message: string,
    readonly details: Readonly<Record<string, unknown>>,
    /** For the operator, who finds it in the log. */
    readonly requestId: string | null,
  ) {
    super(message);
  }

  /** @param body what a refused call answered: an error of the service, or what a proxy sent */
  static of(response: Response, body: unknown): LedgerError {
    const requestId = response.headers.get('X-Request-Id');
    if (typeof body !== 'object' || body === null || !('code' in body)) {
      return new LedgerError(
        response.status,
        'unreadable',
        `The answer was ${response.status}.`,
        {},
        requestId,
      );
    }
    const { code, message, details, request_id } = body as ErrorBody;
    return new LedgerError(response.status, code, message, details, request_id);
  }
}

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * The data of a call; undefined for an answer without a body.
 * @throws LedgerError where the service refused or failed
 */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw LedgerError.of(response, error);
  return data as Data;
}
