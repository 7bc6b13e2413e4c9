import { NumberInput, Select, SimpleGrid } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AuditRetention } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/audit-retention.json'
import common from '../../../messages/en/common.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { SaveBar } from '../../../ui/form/save-bar'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { Panel } from '../../../ui/page/panel'
import { exactDate } from '../../../ui/values/time'
import { useCurrentTeam } from '../../organizations/current-team'
import { changeRetention, retentionQuery } from './queries'
import { movedFacts, RetentionEffect } from './retention-effect'
import { firstKept, isOther, PRESETS, type RetentionValues, removesMore, retentionSchema } from './retention-values'

const ALL = 'all'
const CUSTOM = 'custom'
const CHOICES = [ALL, ...PRESETS.map(String), CUSTOM].map((days) => ({ value: days, label: m.choice({ days }) }))

interface Props {
  retention: AuditRetention
  /** the panels below: the bar for unsaved changes is at the end of the page */
  children: ReactNode
}

/** Sets how long entries stay in the log. Asks before entries leave it that would have stayed. */
export function RetentionForm({ retention, children }: Props) {
  const { team } = useCurrentTeam()
  // The setting that the form shows: a change by another administrator must not discard what is typed.
  const [saved, setSaved] = useState(retention.days)
  const [isCustom, setIsCustom] = useState(isOther(retention.days))
  const [confirming, setConfirming] = useState<number | null>(null)
  const write = useWrite({
    act: (days: number | null) => changeRetention(team.id, days),
    refresh: [retentionQuery(team.id).queryKey],
    done: () => common.saved(),
    showsError: true,
  })
  const { form, problem, busy, values, changes, discard, onSubmit } = useSchemaForm<RetentionValues>({
    schema: retentionSchema,
    initial: { days: retention.days },
    send: async ({ days }) => setSaved((await write.mutateAsync(Number(days) || null)).days),
    mode: 'controlled',
  })
  const { days } = values
  const choice = isCustom ? CUSTOM : String(days ?? ALL)

  function choose(value: string | null) {
    setIsCustom(value === CUSTOM)
    if (value !== CUSTOM) form.setFieldValue('days', value === ALL ? null : Number(value))
    else if (days === null) form.setFieldValue('days', '')
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    if (!removesMore(days, saved)) return onSubmit(event)
    event.preventDefault()
    setConfirming(days)
  }

  return (
    <form onSubmit={submit} noValidate aria-label={m.title()}>
      <div className={stack.parts}>
        <Panel title={m.retention()} about={m.retentionAbout()}>
          <div className={stack.parts}>
            <div className={stack.tight}>
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" className={stack.wide}>
                <Select
                  label={m.keep()}
                  data={CHOICES}
                  allowDeselect={false}
                  value={choice}
                  onChange={choose}
                  readOnly={busy}
                />
                {isCustom && (
                  <NumberInput
                    label={m.days()}
                    clampBehavior="none"
                    allowDecimal={false}
                    allowNegative={false}
                    min={90}
                    max={3_650}
                    {...form.getInputProps('days')}
                    readOnly={busy}
                  />
                )}
              </SimpleGrid>
              <RetentionEffect days={days} hint={m.minimum()} />
            </div>
            {retention.removed && <Facts facts={movedFacts(retention.removed)} />}
          </div>
        </Panel>
        {children}
        <SaveBar
          changes={changes}
          busy={busy}
          problem={problem}
          discard={() => {
            setIsCustom(isOther(saved))
            discard()
          }}
        />
      </div>
      {confirming !== null && (
        <ConfirmDialog
          opened
          title={m.confirmTitle()}
          text={m.confirmText({ date: exactDate(firstKept(confirming) ?? '') })}
          verb={m.confirm()}
          act={async () => onSubmit()}
          close={() => setConfirming(null)}
        >
          <ul className={stack.bullets}>
            <li>{m.confirmSearch()}</li>
            <li>{m.confirmReturn()}</li>
          </ul>
        </ConfirmDialog>
      )}
    </form>
  )
}
