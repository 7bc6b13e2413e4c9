import { type ErrorTable, rejections } from '../../platform/app-error.js'

export const OUTBOX_ERRORS = {
  outbox_not_available: {
    status: 404,
    title: 'The mails of this instance cannot be read here',
    explain:
      'Mails can be read only on a loopback `BASE_URL` without `SMTP_URL`, once `POST /onboard` or the setup link has appointed an administrator. Elsewhere, a mail with a sign-in link would let an administrator of the instance sign in as any user.',
  },
  mail_not_found: {
    status: 404,
    title: 'Mail not found',
    explain: 'The node that received the request has no mail with this ID in its outbox.',
  },
} as const satisfies ErrorTable

export const rejection = rejections(OUTBOX_ERRORS)
