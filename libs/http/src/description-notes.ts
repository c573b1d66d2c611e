/** What the API reference says of a route, and no decorator of @nestjs/swagger can. `document-completion.ts` reads it. */
interface DescriptionNotes {
  /** A whole body that is accepted, where the examples of all fields together would not be. */
  readonly bodyExample?: object;
  /** Several of them by name; the reference page fills in the first. */
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** Fields of the body of which exactly one has to be there. */
  readonly either?: readonly string[];
  /** What a successful answer in a media type that is no JSON consists of. */
  readonly texts?: Readonly<Record<string, string>>;
}

const NOTES = Symbol('notes on a route');

export function Describes(notes: DescriptionNotes): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(NOTES, notes, descriptor.value as object);
  };
}

export function notesOf(handler: object): DescriptionNotes {
  return (Reflect.getMetadata(NOTES, handler) as DescriptionNotes | undefined) ?? {};
}
