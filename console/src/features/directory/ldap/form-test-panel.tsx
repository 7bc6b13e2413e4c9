import { Button } from '@mantine/core'
import type { LdapTest } from '../../../api/contract'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import { TestReport } from './test-report'

interface Props {
  test: LdapTest | null
  /** something was changed after the test */
  isOutdated: boolean
  busy: boolean
  look: (form: HTMLFormElement) => void
}

/** Within the form of a directory: tests what is typed, before it is saved. */
export function TryPanel({ test, isOutdated, busy, look }: Props) {
  return (
    <Panel
      title={words.test}
      about={words.testAbout}
      action={
        <Button
          variant="default"
          leftSection={<Icon name="play" size={16} />}
          loading={busy}
          onClick={({ currentTarget: { form } }) => form && look(form)}
        >
          {words.testTyped}
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
