import { Checkbox, TextInput } from '@mantine/core'
import { boolean, type InferOutput, minLength, object, pipe, regex, string, trim } from 'valibot'
import type { Scope } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { isStandard } from '../scopes'
import { addScope, changeScope } from './calls'
import { useCurrentConfig } from './current-config'
import { useConfigWrite } from './use-config-write'

/** The characters of a scope token (RFC 6749, section 3.3). */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/

const schema = object({
  name: pipe(string(), trim(), minLength(1, m.nameMissing()), regex(SCOPE_TOKEN, m.scopeNameWrong())),
  description: string(),
  isDefault: boolean(),
})

type Values = InferOutput<typeof schema>

interface Props {
  /** null for a new scope */
  scope: Scope | null
  close: () => void
}

/** Creates or changes a scope. Standard scopes keep their name. */
export function ScopeForm({ scope, close }: Props) {
  const { at } = useCurrentConfig()
  const isFixed = scope !== null && isStandard(scope)
  const save = useConfigWrite(
    ({ name, description, isDefault }: Values) =>
      scope
        ? changeScope(at, scope.id, { ...(!isFixed && { name }), description: description || null, isDefault })
        : addScope(at, { name, isDefault, ...(description && { description }) }),
    ({ name }) => m.saved({ name }),
  )
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: {
      name: scope?.name ?? '',
      description: scope?.description ?? '',
      isDefault: scope?.isDefault ?? false,
    },
    send: ({ name, description, isDefault }) =>
      save.mutateAsync({ name: name.trim(), description: description.trim(), isDefault }),
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={scope ? m.editScope({ name: scope.name }) : m.newScope()}
      verb={m.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        label={m.name()}
        description={isFixed ? m.scopeNameFixed() : m.scopeNameHint()}
        readOnly={isFixed}
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={!isFixed || undefined}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        label={m.scopeDescription()}
        description={m.scopeDescriptionHint()}
        maxLength={500}
        autoComplete="off"
        data-autofocus={isFixed || undefined}
        key={form.key('description')}
        {...form.getInputProps('description')}
      />
      <Checkbox
        label={m.scopeDefault()}
        description={m.scopeDefaultAbout()}
        key={form.key('isDefault')}
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
