import m from '../../../messages/en/links.json'
import { confirmNewAddress } from '../calls'
import { ProofPage } from './proof-page'

/** The page of the link that verifies a new email address. */
export function ConfirmEmailPage() {
  return (
    <ProofPage
      path="/confirm-email"
      title={m.newEmailTitle()}
      lead={m.newEmailLead()}
      leadSignedOut={m.newEmailSignedOut()}
      submit={m.newEmailSubmit()}
      doneTitle={m.newEmailDoneTitle()}
      doneLead={m.newEmailDoneLead()}
      prove={confirmNewAddress}
    />
  )
}
