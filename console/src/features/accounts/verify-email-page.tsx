import { Button } from '@mantine/core'
import { useState } from 'react'
import { arrivedWith } from '../../arrival'
import { linkWords as words } from '../../words'
import { confirmAddress } from './calls'
import { Disown } from './disown'
import { ProofPage } from './proof-page'

/** Where the mail leads that proves the address of an account; whoever owns the address and not the account denies it here. */
export function VerifyEmailPage() {
  const token = arrivedWith('/verify-email', 'token')
  const [disowning, setDisowning] = useState(false)
  if (token && disowning) return <Disown token={token} back={() => setDisowning(false)} />
  return (
    <ProofPage
      path="/verify-email"
      title={words.confirmTitle}
      lead={words.confirmLead}
      leadSignedOut={words.confirmSignedOut}
      submit={words.confirmSubmit}
      doneTitle={words.confirmedTitle}
      doneLead={words.confirmedLead}
      prove={confirmAddress}
      otherwise={
        <Button variant="default" fullWidth onClick={() => setDisowning(true)}>
          {words.confirmNotMe}
        </Button>
      }
    />
  )
}
