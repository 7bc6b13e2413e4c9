import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../api/problem'
import { announce } from '../../ui/announcer'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Panel } from '../../ui/panel'
import { ssoWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentProvider } from './current-provider'
import { changeProvider, signInsQuery } from './queries'
import { isTested } from './sign-ins/tested'

/** On or off: apart from every other setting, and with a question where no test came through. */
export function StatePanel() {
  const { team, me } = useCurrentTeam()
  const provider = useCurrentProvider()
  const { id, name, enabled } = provider
  const signIns = useQuery(signInsQuery(team.id, id))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [asking, setAsking] = useState(false)
  const tested = isTested(provider, signIns.data)

  const turn = (on: boolean) =>
    changeProvider(team.id, id, { enabled: on }).then(() => announce(on ? words.turnedOn(name) : words.turnedOff(name)))

  async function press() {
    if (enabled) return setAsking(true)
    setBusy(true)
    setProblem(null)
    try {
      // The list may be older than a test that has just ended.
      if (tested || isTested(provider, (await signIns.refetch()).data)) await turn(true)
      else setAsking(true)
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Panel
      title={words.state}
      about={enabled ? words.isOn : words.isOff}
      action={
        me.permissions.includes('sso:write') && (
          <Button variant={!enabled && tested ? 'filled' : 'default'} loading={busy} onClick={press}>
            {enabled ? words.turnOff : words.turnOn}
          </Button>
        )
      }
    >
      <ProblemMessage problem={problem} />
      <ConfirmDialog
        opened={asking}
        title={enabled ? words.turnOffTitle(name) : words.untestedTitle(name)}
        text={enabled ? words.turnOffText : words.untestedText}
        verb={enabled ? words.turnOff : words.turnOn}
        gives={!enabled}
        act={() => turn(!enabled)}
        close={() => setAsking(false)}
      />
    </Panel>
  )
}
