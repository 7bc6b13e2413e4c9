import type { Scope } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { ChoiceList } from '../../../ui/form/choice-list'
import { DialogForm } from '../../../ui/form/dialog-form'
import { Field } from '../../../ui/form/field'
import { useForm } from '../../../ui/form/use-form'
import { tokenWords as words } from '../../../words'
import { addScope, changeScope } from './calls'
import { useCurrentConfig } from './current-config'
import { isStandard } from './untouched'

/** What a scope may be called (RFC 6749, 3.3). */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/

export function ScopeForm({ scope, close }: { scope: Scope | null; close: () => void }) {
  const { at } = useCurrentConfig()
  const fixed = scope !== null && isStandard(scope)
  const title = scope ? words.editScope(scope.name) : words.newScope
  const { form, errors, problem, busy } = useForm({
    names: ['name', 'description', 'isDefault'],
    check: ({ name }) => {
      if (!name.trim()) return { name: words.nameMissing }
      return scopeToken.test(name.trim()) ? {} : { name: words.scopeNameWrong }
    },
    send: async ({ name, description, isDefault }) => {
      const isGivenByDefault = isDefault === 'on'
      const text = description.trim()
      if (!scope)
        await addScope(at, { name: name.trim(), isDefault: isGivenByDefault, ...(text && { description: text }) })
      else
        await changeScope(at, scope.id, {
          ...(!fixed && { name: name.trim() }),
          description: text || null,
          isDefault: isGivenByDefault,
        })
      announce(words.saved(name.trim()))
    },
    saved: close,
    focusOnRefusal: 'name',
  })
  return (
    <DialogForm label={title} form={form} busy={busy} problem={problem} verb={words.save} close={close}>
      <Field
        name="name"
        label={words.scopeName}
        hint={fixed ? words.scopeNameFixed : words.scopeNameHint}
        defaultValue={scope?.name ?? ''}
        readOnly={fixed}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={!fixed || undefined}
        error={errors.name}
      />
      <Field
        name="description"
        label={words.scopeDescription}
        optional={words.optional}
        hint={words.scopeDescriptionHint}
        defaultValue={scope?.description ?? ''}
        maxLength={500}
        autoComplete="off"
        data-autofocus={fixed || undefined}
        error={errors.description}
      />
      <ChoiceList
        legend={words.scopeOptions}
        name="isDefault"
        chosen={scope?.isDefault ? ['on'] : []}
        choices={[{ value: 'on', title: words.scopeDefault, about: words.scopeDefaultAbout }]}
      />
    </DialogForm>
  )
}
