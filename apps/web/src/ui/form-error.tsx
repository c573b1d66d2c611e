import { sentenceOf } from '../api/sentences.js';

/** Says what went wrong, where something did. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <p className="form-error" role="alert">
      {sentenceOf(error)}
    </p>
  );
}
