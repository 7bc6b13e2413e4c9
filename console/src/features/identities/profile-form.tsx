import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Me } from '../../api/contract'
import m from '../../messages/en/profile.json'
import { Field } from '../../ui/form/field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { SaveButton } from '../../ui/form/save-button'
import { useForm } from '../../ui/form/use-form'
import { Panel } from '../../ui/panel'
import stack from '../../ui/stack.module.css'
import { useUnsaved } from '../../ui/unsaved'
import { profileChanges, profileNames, wrongProfile } from './profile-changes'
import { changeProfile } from './queries'

const autoComplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  department: 'off',
  title: 'organization-title',
  phone: 'tel',
  locale: 'off',
} as const

/** Edits the user's own profile. */
export function ProfileForm({ profile }: Pick<Me, 'profile'>) {
  const queries = useQueryClient()
  const [saved, setSaved] = useState(false)
  const { form, errors, problem, busy, dirty } = useForm({
    names: profileNames,
    check: wrongProfile,
    send: async (values) => {
      await changeProfile(profileChanges(profile, values))
      await queries.invalidateQueries({ queryKey: ['mine'] })
    },
    saved: () => setSaved(true),
  })
  useUnsaved(dirty)
  return (
    <Panel title={m.details()} about={m.detailsAbout()}>
      <form {...form} className={stack.narrow} aria-label={m.details()}>
        <div className={stack.fields}>
          <ProblemMessage problem={problem} />
          {profileNames.map((name) => (
            <Field
              key={name}
              name={name}
              label={m.field({ field: name })}
              defaultValue={profile[name] ?? ''}
              autoComplete={autoComplete[name]}
              maxLength={name === 'phone' ? 50 : name === 'locale' ? 35 : 100}
              error={errors[name]}
              {...(name === 'locale' && { hint: m.localeHint() })}
            />
          ))}
          <SaveButton busy={busy} dirty={dirty} saved={saved} />
        </div>
      </form>
    </Panel>
  )
}
