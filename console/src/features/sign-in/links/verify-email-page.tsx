import { useState } from 'react'
import { arrivedWith } from '../../../arrival'
import m from '../../../messages/en/links.json'
import { QuietButton } from '../../../ui/public/quiet-button'
import { confirmAddress } from '../calls'
import { Disown } from './disown'
import { ProofPage } from './proof-page'

/** The page of the link that verifies an email address. An owner of the address who did not create the account can delete it. */
export function VerifyEmailPage() {
  const token = arrivedWith('/verify-email', 'token')
  const [disowning, setDisowning] = useState(false)
  if (token && disowning) return <Disown token={token} back={() => setDisowning(false)} />
  return (
    <ProofPage
      path="/verify-email"
      title={m.verifyEmailTitle()}
      lead={m.verifyEmailLead()}
      leadSignedOut={m.verifySignedOut()}
      submit={m.verifyEmail()}
      doneTitle={m.verifiedTitle()}
      doneLead={m.verifiedLead()}
      prove={confirmAddress}
      otherwise={(isOther) => (
        <QuietButton onClick={() => setDisowning(true)}>{isOther ? m.notOtherAccount() : m.notMyAccount()}</QuietButton>
      )}
    />
  )
}
