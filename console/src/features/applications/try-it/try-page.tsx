import m from '../../../messages/en/try-it.json'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { CodeBlock } from '../../../ui/secrets/code-block'
import { isForPeople } from '../application-kind'
import { useCurrentApplication } from '../current-application'
import { clientSettings } from '../overview/env-file'
import { snippet } from '../snippets'
import { WriteGate } from '../write-gate'
import { TryForm } from './try-form'

export function TryPage() {
  const application = useCurrentApplication()
  if (!isForPeople(application)) return <ForMachines />
  return (
    <WriteGate>
      {application.requireDpop && (
        <Notice kind="warning">
          <p>{m.dpop()}</p>
        </Notice>
      )}
      <TryForm application={application} />
    </WriteGate>
  )
}

function ForMachines() {
  const application = useCurrentApplication()
  return (
    <Panel title={m.machinePanel()} about={m.machineAbout()}>
      <div className={stack.fields}>
        <CodeBlock label="curl" code={snippet('curl', clientSettings(application))} />
        <p className={stack.dimmed}>{m.machineEnv()}</p>
        <p className={stack.dimmed}>{m.machineExpect()}</p>
      </div>
    </Panel>
  )
}
