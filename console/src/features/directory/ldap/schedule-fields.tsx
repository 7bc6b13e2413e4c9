import { useState } from 'react'
import type { LdapDirectory } from '../../../api/contract'
import { ChoiceList } from '../../../ui/form/choice-list'
import { Field } from '../../../ui/form/field'
import { Select } from '../../../ui/form/select'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { ldapWords as words } from '../../../words'
import { type filledWith, INTERVALS, OTHER_INTERVAL } from './ldap-form'

interface Props {
  saved: LdapDirectory | null
  filled: ReturnType<typeof filledWith>
  errors: Partial<Record<string, string>>
}

/** When the directory is read, what becomes of who leaves it, and whether people sign in by it. */
export function ScheduleFields({ saved, filled, errors }: Props) {
  const [interval, choose] = useState(filled.interval)
  return (
    <Panel title={words.when}>
      <div className={`${stack.wide} ${stack.fields}`}>
        <Select
          name="interval"
          label={words.interval}
          value={interval}
          onChange={(event) => choose(event.currentTarget.value)}
          choices={[
            ...INTERVALS.map((minutes) => ({ value: String(minutes), name: words.every(minutes) })),
            { value: OTHER_INTERVAL, name: words.otherInterval },
          ]}
        />
        <div hidden={interval !== OTHER_INTERVAL}>
          <Field
            name="scheduleMinutes"
            label={words.minutes}
            hint={words.minutesHint}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={filled.scheduleMinutes}
            error={errors.scheduleMinutes}
          />
        </div>
        <Notice kind="info" title={words.leavers}>
          <p>{words.leaversAbout}</p>
        </Notice>
        <ChoiceList
          legend={words.signIn}
          name="signInEnabled"
          chosen={saved?.signInEnabled ? ['on'] : []}
          choices={[{ value: 'on', title: words.signInTitle, about: words.signInAbout }]}
        />
      </div>
    </Panel>
  )
}
