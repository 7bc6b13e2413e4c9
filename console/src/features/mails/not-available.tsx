import { asProblem } from '../../api/problem'
import m from '../../messages/en/mails.json'
import { Notice } from '../../ui/layout/notice'
import { Page } from '../../ui/page/page'

/** Returns whether the mails are rejected for this user, or for every user of the instance. */
export const isNotAvailable = (error: unknown): boolean =>
  error !== null && ['forbidden', 'outbox_not_available'].includes(asProblem(error).code)

/** Explains who can read mails. */
export function NotAvailable() {
  return (
    <Page title={m.title()}>
      <Notice kind="info">
        <p>{m.notAvailable()}</p>
      </Notice>
    </Page>
  )
}
