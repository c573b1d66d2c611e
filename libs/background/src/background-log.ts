/** Where work beside requests tells operators what it does. */
export interface BackgroundLog {
  info(message: string, fields: object): void;
  error(message: string, fields: object): void;
}
