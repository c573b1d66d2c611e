import { LedgerError } from '#client/client';
import { authorized } from '../session/lost-session.js';
import { APP_BASE } from './client.js';

/** A call whose path the client has no types for. @throws LedgerError where the service refuses */
export async function send<Answer>(
  method: string,
  path: string,
  { body, household }: { readonly body?: unknown; readonly household?: string } = {},
): Promise<Answer> {
  const response = await authorized(
    new Request(`${APP_BASE}v1${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(household !== undefined && { 'X-Service-Household': household }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  const answer: unknown = text === '' ? undefined : parsed(text);
  if (!response.ok) throw LedgerError.of(response, answer);
  return answer as Answer;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
