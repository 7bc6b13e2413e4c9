import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Application } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/try-it.json'
import { announce } from '../../../ui/announcer'
import { CopyField } from '../../../ui/copy-field'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/stack.module.css'
import { changeApplication, latestApplication } from '../queries'
import { tryCallbackUrl } from './authorize-request'

interface Props {
  application: Application
  /** runs after the URL was added or removed, before the button disappears */
  changed?: (added: boolean) => void
}

/** Adds the callback URL of test runs to the redirect URLs of the application, and removes it. */
export function TryCallbackUrl({ application, changed = () => {} }: Props) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const address = tryCallbackUrl()
  const { id, teamId } = application
  const there = application.redirectUris.includes(address)

  async function toggle() {
    setBusy(true)
    setProblem(null)
    try {
      // The latest redirect URLs, because another administrator may have changed them.
      const { redirectUris } = await latestApplication(teamId, id)
      const others = redirectUris.filter((uri) => uri !== address)
      await changeApplication(teamId, id, { redirectUris: there ? others : [...others, address] })
      announce(there ? m.removed() : m.added())
      changed(!there)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={stack.fields}>
      <CopyField label={m.url()} value={address} />
      <p>{there ? m.urlAdded() : m.urlMissing()}</p>
      <ProblemMessage problem={problem} />
      <div>
        <Button
          variant={there ? 'default' : 'filled'}
          leftSection={<Icon name={there ? 'minus' : 'plus'} />}
          loading={busy}
          onClick={toggle}
        >
          {there ? m.removeUrl() : m.addUrl()}
        </Button>
      </div>
    </div>
  )
}
