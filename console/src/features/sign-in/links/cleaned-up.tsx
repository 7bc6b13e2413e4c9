import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Cleaned } from '../../../api/contract'
import m from '../../../messages/en/links.json'
import { AuthLayout } from '../../../ui/document/auth-layout'
import stack from '../../../ui/layout/stack.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import { Disown } from './disown'
import { RemovedList } from './removed-list'

interface Props {
  cleaned: Cleaned
  goOn: () => void
}

/** Shows what the verification of the email address removed from an account that another person may have prepared. */
export function CleanedUp({ cleaned, goOn }: Props) {
  const [disowning, setDisowning] = useState(false)
  if (disowning) return <Disown token={cleaned.disownToken} back={() => setDisowning(false)} />
  return (
    <AuthLayout heading={m.cleanedTitle()} lead={m.cleanedLead()}>
      <div className={stack.fields}>
        <RemovedList cleaned={cleaned} />
        <p className={stack.dimmed}>{m.cleanedHint()}</p>
        <Button fullWidth onClick={goOn}>
          {m.cleanedContinue()}
        </Button>
      </div>
      <QuietButton onClick={() => setDisowning(true)}>{m.disown()}</QuietButton>
    </AuthLayout>
  )
}
