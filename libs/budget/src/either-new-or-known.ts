import { validationFailed, type FieldProblem } from '#http/api-error';

/**
 * A body that either makes something new by its `name`, or names by its id what the household already has.
 * @param idField the field that names what is there already
 * @param onlyNew fields that belong to something new
 * @returns the id, or null for something new
 * @throws ApiError `validation_failed` for neither, or for both at once
 */
export function knownId<T extends { readonly name?: string }>(
  body: T,
  idField: keyof T & string,
  onlyNew: readonly (keyof T & string)[],
): string | null {
  const id = body[idField];
  if (typeof id !== 'string') {
    if (body.name !== undefined) return null;
    throw validationFailed([{ path: 'name', message: `is missing; send either name or ${idField}` }]);
  }
  const problems: FieldProblem[] = onlyNew
    .filter(field => body[field] !== undefined)
    .map(field => ({ path: field, message: `must not be sent together with ${idField}` }));
  if (problems.length > 0) throw validationFailed(problems);
  return id;
}
