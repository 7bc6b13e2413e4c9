import m from '../../messages/en/error-page.json'
import { Panel } from '../../ui/panel'

/** A URL below an application or a provider without a page. */
export function NoSuchTab() {
  return (
    <Panel title={m.notFoundTitle()}>
      <p>{m.notFoundLead()}</p>
    </Panel>
  )
}
