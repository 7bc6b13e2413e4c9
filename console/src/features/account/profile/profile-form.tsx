import { Stack, TextInput } from '@mantine/core'
import type { Me } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/profile.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Panel } from '../../../ui/panel'
import { SaveBar } from '../../../ui/save-bar'
import stack from '../../../ui/stack.module.css'
import { type ProfileValues, profileChanges, profileNames, profileSchema } from './profile-changes'
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
  const write = useWrite({ act: changeProfile, refresh: [['mine']], done: () => m.saved(), showsError: true })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema: profileSchema,
    initial: Object.fromEntries(profileNames.map((name) => [name, profile[name] ?? ''])) as ProfileValues,
    send: (values) => write.mutateAsync(profileChanges(profile, values)),
  })
  return (
    <Panel title={m.details()} about={m.detailsAbout()}>
      <form onSubmit={onSubmit} noValidate aria-label={m.details()}>
        <Stack gap="sm">
          <Stack gap="sm" className={stack.narrow}>
            {profileNames.map((name) => (
              <TextInput
                key={form.key(name)}
                name={name}
                label={m.field({ field: name })}
                autoComplete={autoComplete[name]}
                {...(name === 'locale' && { description: m.localeHint() })}
                {...form.getInputProps(name)}
              />
            ))}
          </Stack>
          <ProblemMessage problem={problem} />
          <SaveBar changes={changes} busy={busy} discard={() => form.reset()} />
        </Stack>
      </form>
    </Panel>
  )
}
