import { Button } from '@mantine/core'
import { useState } from 'react'
import { arrivedWith } from '../../arrival'
import m from '../../messages/en/links.json'
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
      title={m.verifyEmailTitle()}
      lead={m.verifyEmailLead()}
      leadSignedOut={m.verifySignedOut()}
      submit={m.verifyEmail()}
      doneTitle={m.verifiedTitle()}
      doneLead={m.verifiedLead()}
      prove={confirmAddress}
      otherwise={
        <Button variant="default" fullWidth onClick={() => setDisowning(true)}>
          {m.notMyAccount()}
        </Button>
      }
    />
  )
}
