import { Button } from '@mantine/core'
import type { LdapTest } from '../../../api/contract'
import m from '../../../messages/en/ldap.json'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { TestReport } from './test-report'

interface Props {
  test: LdapTest | undefined
  /** the settings have changed since the test */
  isOutdated?: boolean
  busy: boolean
  run: () => void
}

/** Tests the connection, and shows the result. */
export function TestPanel({ test, isOutdated = false, busy, run }: Props) {
  return (
    <Panel
      title={m.test()}
      about={m.testHelp()}
      action={
        <Button variant="default" leftSection={<Icon name="play" />} loading={busy} onClick={run}>
          {m.testVerb()}
        </Button>
      }
    >
      {test && (
        <div className={stack.fields}>
          <TestReport test={test} isOutdated={isOutdated} />
        </div>
      )}
    </Panel>
  )
}
