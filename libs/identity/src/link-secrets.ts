/** What a mailed link carries: 256 bits in base64url. */
export const LINK_SECRET_BYTES = 32;
const LINK_SECRET = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text can be a link's secret at all. What cannot is neither hashed nor looked for in the store. */
export function looksLikeLinkSecret(text: string): boolean {
  return LINK_SECRET.test(text);
}
