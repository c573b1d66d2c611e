/**
 * Whether two JSON values have the same text, their fields in the same order, found without writing the texts. A field
 * that is undefined has none.
 */
export function haveSameText(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((element, index) => haveSameText(element, other[index]));
  }
  return haveSameFields(one, other);
}

function haveSameFields(one: object, other: object): boolean {
  const [fields, others] = [writtenFields(one), writtenFields(other)];
  if (fields.length !== others.length) return false;
  return fields.every(
    (name, index) => name === others[index] && haveSameText(Reflect.get(one, name), Reflect.get(other, name)),
  );
}

function writtenFields(value: object): string[] {
  const names = Object.keys(value);
  return names.some(name => Reflect.get(value, name) === undefined)
    ? names.filter(name => Reflect.get(value, name) !== undefined)
    : names;
}
