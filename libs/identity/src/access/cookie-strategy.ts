import type { IncomingHttpHeaders } from 'node:http';
import { Strategy } from 'passport';

type Verify<User> = (secret: string, done: (error: unknown, user?: User | null) => void) => void;

/** Passport strategy for the session cookie. The guard leaves nothing but the session's secret in the header. */
export class CookieStrategy<User extends object> extends Strategy {
  constructor(private readonly verify: Verify<User>) {
    super();
    this.name = 'cookie';
  }

  override authenticate(request: { readonly headers: IncomingHttpHeaders }): void {
    const { cookie } = request.headers;
    if (cookie === undefined) {
      this.fail(401);
      return;
    }
    this.verify(cookie, (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail(401);
    });
  }
}
