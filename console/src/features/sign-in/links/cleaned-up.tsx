import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Cleaned } from '../../../api/contract'
import m from '../../../messages/en/links.json'
import { AuthLayout } from '../../../ui/auth-layout'
import stack from '../../../ui/stack.module.css'
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
        <Button variant="default" fullWidth onClick={() => setDisowning(true)}>
          {m.disown()}
        </Button>
      </div>
    </AuthLayout>
  )
}
