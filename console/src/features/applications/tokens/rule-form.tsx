import { Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { array, minLength, object, pipe, string, trim } from 'valibot'
import type { NewRule, RegexRule } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { addRule, changeRule } from './calls'
import { useCurrentConfig } from './current-config'
import { RuleTester } from './rule-tester'
import { useConfigWrite } from './use-config-write'

const FLAGS = ['g', 'i', 'm', 's'] as const

const schema = object({
  name: pipe(string(), trim(), minLength(1, m.nameMissing())),
  pattern: pipe(string(), minLength(1, m.rulePatternMissing())),
  replacement: string(),
  flags: array(string()),
})

const CODE = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const

interface Props {
  /** null for a new rule */
  rule: RegexRule | null
  close: () => void
}

/** Creates or changes a rule, and tests it on a sample value. */
export function RuleForm({ rule, close }: Props) {
  const { at } = useCurrentConfig()
  const [input, setInput] = useState('anna@example.com')
  const save = useConfigWrite(
    (body: NewRule) => (rule ? changeRule(at, rule.id, body) : addRule(at, body)),
    ({ name }) => m.saved({ name }),
  )
  const initial = {
    name: rule?.name ?? '',
    pattern: rule?.pattern ?? '',
    replacement: rule?.replacement ?? '',
    flags: [...(rule?.flags ?? '')],
  }
  const { form, problem, busy, changes, onSubmit, values } = useSchemaForm({
    schema,
    initial,
    send: ({ name, flags, ...body }) => save.mutateAsync({ ...body, name: name.trim(), flags: flags.join('') }),
    done: close,
  })
  const draft = {
    pattern: values.pattern,
    replacement: values.replacement,
    flags: values.flags.join(''),
    input,
  }
  return (
    <FormDialog
      opened
      size="lg"
      close={close}
      title={rule ? m.editRule({ name: rule.name }) : m.newRule()}
      verb={m.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        label={m.name()}
        description={m.ruleNameHint()}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput
        {...CODE}
        label={m.rulePattern()}
        description={m.rulePatternHint()}
        maxLength={500}
        key={form.key('pattern')}
        {...form.getInputProps('pattern')}
      />
      <TextInput
        {...CODE}
        label={m.ruleReplacement()}
        description={m.ruleReplacementHint()}
        maxLength={500}
        key={form.key('replacement')}
        {...form.getInputProps('replacement')}
      />
      <RuleTester draft={draft}>
        <TextInput
          {...CODE}
          label={m.ruleInput()}
          description={m.ruleInputHint()}
          maxLength={4000}
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
      </RuleTester>
      <Checkbox.Group label={m.ruleFlags()} key={form.key('flags')} {...form.getInputProps('flags')}>
        <Group mt="xs">
          {FLAGS.map((flag) => (
            <Checkbox key={flag} value={flag} label={m.ruleFlag({ flag })} description={m.ruleFlagAbout({ flag })} />
          ))}
        </Group>
      </Checkbox.Group>
    </FormDialog>
  )
}
