import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Application } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { CopyField } from '../../../ui/copy-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/stack.module.css'
import { tryWords as words } from '../../../words'
import { changeApplication, latestApplication } from '../queries'
import { tryAddress } from './authorize-request'

interface Props {
  application: Application
  /** runs when the address was added or removed, before its button goes */
  changed?: (added: boolean) => void
}

/** The page that a run comes back to, among the application's redirect addresses: put there and taken away by a click. */
export function TryAddress({ application, changed = () => {} }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const address = tryAddress()
  const { id, teamId } = application
  const there = application.redirectUris.includes(address)

  async function toggle() {
    setBusy(true)
    setProblem(null)
    try {
      // What is registered now, and not what this page read: somebody else may have changed the others since.
      const { redirectUris } = await latestApplication(teamId, id)
      const others = redirectUris.filter((uri) => uri !== address)
      await changeApplication(teamId, id, { redirectUris: there ? others : [...others, address] })
      announce(there ? words.addressRemoved : words.addressAdded)
      changed(!there)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={stack.fields}>
      <CopyField label={words.address} value={address} />
      <p>{there ? words.addressThere : words.addressMissing}</p>
      <ProblemMessage problem={problem} />
      <div>
        <Button
          variant={there ? 'default' : 'filled'}
          leftSection={<Icon name={there ? 'minus' : 'plus'} />}
          loading={busy}
          onClick={toggle}
        >
          {there ? words.removeAddress : words.addAddress}
        </Button>
      </div>
    </div>
  )
}
