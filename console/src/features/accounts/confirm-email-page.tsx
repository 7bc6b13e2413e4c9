import { linkWords as words } from '../../words'
import { confirmNewAddress } from './calls'
import { ProofPage } from './proof-page'

/** Where the mail to a new address leads. */
export function ConfirmEmailPage() {
  return (
    <ProofPage
      path="/confirm-email"
      title={words.newAddressTitle}
      lead={words.newAddressLead}
      leadSignedOut={words.newAddressSignedOut}
      submit={words.newAddressSubmit}
      doneTitle={words.newAddressDoneTitle}
      doneLead={words.newAddressDoneLead}
      prove={confirmNewAddress}
    />
  )
}
