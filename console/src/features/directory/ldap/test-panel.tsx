import { Button } from '@mantine/core'
import { useState } from 'react'
import type { LdapTest } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import { announce } from '../../../ui/announcer'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { testDirectory } from './queries'
import { TestReport, verdictOf } from './test-report'

/** Looks at the directory as it is saved. */
export function TestPanel() {
  const { team } = useCurrentTeam()
  const [test, setTest] = useState<LdapTest | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function look() {
    setBusy(true)
    setProblem(null)
    setTest(null)
    try {
      const found = await testDirectory(team.id, {})
      setTest(found)
      announce(verdictOf(found))
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Panel
      title={words.test}
      about={words.testAbout}
      action={
        <Button variant="default" leftSection={<Icon name="play" size={16} />} loading={busy} onClick={look}>
          {words.testVerb}
        </Button>
      }
    >
      {(problem || test) && (
        <div className={stack.fields}>
          <ProblemMessage problem={problem} />
          {test && <TestReport test={test} />}
        </div>
      )}
    </Panel>
  )
}
