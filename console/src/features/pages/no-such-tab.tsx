import { Panel } from '../../ui/panel'
import { pageWords as words } from '../../words'

/** An address below an application or a provider that has no page. */
export function NoSuchTab() {
  return (
    <Panel title={words.notFoundTitle}>
      <p>{words.notFoundLead}</p>
    </Panel>
  )
}
