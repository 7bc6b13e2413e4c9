import type { AuditRetention } from '../../../api/contract'
import m from '../../../messages/en/audit-retention.json'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { Panel } from '../../../ui/page/panel'
import { movedFacts, RetentionEffect } from './retention-effect'
import { isOther } from './retention-values'

/** The retention, for users who can't change it: a select that can't be changed looks and sounds like one that can. */
export function RetentionView({ retention: { days, removed } }: { retention: AuditRetention }) {
  const shown = isOther(days) ? m.dayCount({ count: days }) : m.choice({ days: String(days ?? 'all') })
  return (
    <Panel title={m.retention()} about={m.retentionAbout()}>
      <div className={stack.tight}>
        <Facts facts={[{ name: m.kept(), value: shown }, ...(removed ? movedFacts(removed) : [])]} />
        <RetentionEffect days={days} />
      </div>
    </Panel>
  )
}
