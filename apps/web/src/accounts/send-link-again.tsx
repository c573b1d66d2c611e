import { useMutation } from '@tanstack/react-query';
import { dataOf } from '#client/client';
import { api } from '../api/client.js';
import { sayDone } from '../ui/toasts.js';

/** Mails a new link to somebody whose sign-up is not confirmed yet. */
export function SendLinkAgain({ email }: { readonly email: string }) {
  const resend = useMutation({
    mutationFn: () => dataOf(api.POST('/auth/password/resend', { body: { email } })),
    onSuccess: () => sayDone('If a sign-up waits for this address, a new link is on its way.'),
  });
  return (
    <button type="button" className="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
      Send a new link
    </button>
  );
}
