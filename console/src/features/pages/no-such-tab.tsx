import m from '../../messages/en/start-error.json'
import { Panel } from '../../ui/page/panel'

/** A URL below an application or a provider without a page. */
export function NoSuchTab() {
  return (
    <Panel title={m.notFoundTitle()}>
      <p>{m.notFoundLead()}</p>
    </Panel>
  )
}
