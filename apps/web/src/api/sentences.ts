import { LedgerError } from '#client/client';

/** The codes whose sentence the app can say better than the service, which does not know what is on the screen. */
const SENTENCES: Readonly<Record<string, string>> = {
  unavailable: 'The service cannot reach its data at the moment. Please try again in a few seconds.',
  rate_limited: 'That was a lot at once. Please try again in a few seconds.',
  conflict: 'Somebody else changed this at the same moment. Please try again.',
  internal: 'Something went wrong on our side. Nothing was changed; please try again.',
  invalid_credentials: 'This e-mail and password do not match.',
  not_a_member: 'You are not a member of this budget any more.',
  invalid_link: 'This link has expired or was used already.',
};

/** One sentence for a person about what went wrong. */
export function sentenceOf(error: unknown): string {
  if (error instanceof LedgerError) {
    if (error.code === 'too_many_attempts') return `Too many attempts. ${whenOf(error)}`;
    if (error.code === 'validation_failed') return validationSentence(error);
    if (error.status >= 500 && error.code === 'unreadable') return SENTENCES['internal']!;
    return SENTENCES[error.code] ?? error.message;
  }
  if (error instanceof TypeError) {
    return 'There is no connection to the service. Your change was not saved; please try again.';
  }
  return 'Something went wrong. Please try again.';
}

/** Whether an error has this code of the service. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is LedgerError {
  return error instanceof LedgerError && codes.includes(error.code);
}

/** Whether the service could not be reached. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError;
}

/** What is wrong with each field, by its path. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!hasCode(error, 'validation_failed')) return {};
  const fields = error.details['fields'];
  if (!Array.isArray(fields)) return {};
  return Object.fromEntries(
    (fields as { path: string; message: string }[]).map(({ path, message }) => [path, capitalized(message)]),
  );
}

function validationSentence(error: LedgerError): string {
  const [first] = Object.values(fieldErrors(error));
  return first ?? error.message;
}

function whenOf(error: LedgerError): string {
  const seconds = Number(error.details['retry_after'] ?? Number.NaN);
  if (!Number.isFinite(seconds)) return 'Please wait a few minutes and try again.';
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 1 ? 'Please try again in a minute.' : `Please try again in ${minutes} minutes.`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
