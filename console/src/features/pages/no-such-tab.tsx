import m from '../../messages/en/error-page.json'
import { Panel } from '../../ui/panel'

/** An address below an application or a provider that has no page. */
export function NoSuchTab() {
  return (
    <Panel title={m.notFoundTitle()}>
      <p>{m.notFoundLead()}</p>
    </Panel>
  )
}
