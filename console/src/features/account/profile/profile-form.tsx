import { Select, TextInput } from '@mantine/core'
import type { Me } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/profile.json'
import { SaveBar } from '../../../ui/form/save-bar'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { languageOptions } from './languages'
import { type ProfileValues, profileChanges, profileNames, profileSchema } from './profile-changes'
import { changeProfile } from './queries'

const TEXT_FIELDS = ['firstName', 'lastName', 'department', 'title', 'phone'] as const

const autoComplete = {
  firstName: 'given-name',
  lastName: 'family-name',
  department: 'off',
  title: 'organization-title',
  phone: 'tel',
} as const

/** Edits the user's own profile. */
export function ProfileForm({ profile }: Pick<Me, 'profile'>) {
  const write = useWrite({ act: changeProfile, refresh: [['mine']], done: () => common.saved(), showsError: true })
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm({
    schema: profileSchema,
    initial: Object.fromEntries(profileNames.map((name) => [name, profile[name] ?? ''])) as ProfileValues,
    send: (values) => write.mutateAsync(profileChanges(profile, values)),
  })
  const locale = form.getInputProps('locale')
  return (
    <form onSubmit={onSubmit} noValidate aria-label={m.details()}>
      <Panel title={m.details()} about={m.detailsAbout()}>
        <div className={stack.fields}>
          <div className={stack.columns}>
            {TEXT_FIELDS.map((name) => (
              <TextInput
                key={form.key(name)}
                name={name}
                label={m.field({ field: name })}
                autoComplete={autoComplete[name]}
                {...form.getInputProps(name)}
              />
            ))}
            <Select
              key={form.key('locale')}
              label={m.field({ field: 'locale' })}
              placeholder={m.noLanguage()}
              searchable
              clearable
              data={languageOptions(profile.locale)}
              {...locale}
              // An empty string would have a button that clears it.
              defaultValue={locale.defaultValue || null}
              onChange={(tag) => locale.onChange(tag ?? '')}
            />
          </div>
        </div>
      </Panel>
      <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
    </form>
  )
}
