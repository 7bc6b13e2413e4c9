import { Checkbox, Select, TextInput } from '@mantine/core'
import m from '../../../messages/en/ldap.json'
import { technical } from '../../../ui/form/technical'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { every } from './every'
import { INTERVALS, type LdapForm, OTHER_INTERVAL } from './ldap-form'

/** The schedule, the deprovisioning and the sign-in with directory passwords. */
export function SyncFields({ form }: { form: LdapForm }) {
  return (
    <Panel title={m.syncSection()} about={m.syncSectionHelp()}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <div className={stack.columns}>
          <Select
            label={m.interval()}
            allowDeselect={false}
            data={[
              ...INTERVALS.map((minutes) => ({ value: String(minutes), label: every(minutes) })),
              { value: OTHER_INTERVAL, label: m.otherInterval() },
            ]}
            {...form.getInputProps('interval')}
          />
          {form.values.interval === OTHER_INTERVAL && (
            <TextInput
              {...technical}
              label={m.minutes()}
              description={m.minutesHelp()}
              inputMode="numeric"
              {...form.getInputProps('scheduleMinutes')}
            />
          )}
        </div>
        <Checkbox
          label={m.signInOption()}
          description={m.signInHelp()}
          {...form.getInputProps('signInEnabled', { type: 'checkbox' })}
        />
        <Notice kind="info" title={m.leavers()}>
          <p>{m.leaversHelp()}</p>
        </Notice>
      </div>
    </Panel>
  )
}
