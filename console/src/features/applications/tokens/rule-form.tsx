import { type ComponentProps, useState } from 'react'
import type { RegexRule } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { ChoiceList } from '../../../ui/form/choice-list'
import { DialogForm } from '../../../ui/form/dialog-form'
import { Field } from '../../../ui/form/field'
import { readValues, type Values } from '../../../ui/form/form-fields'
import { useForm } from '../../../ui/form/use-form'
import { tokenWords as words } from '../../../words'
import { addRule, changeRule } from './calls'
import { useCurrentConfig } from './current-config'
import { RuleTester } from './rule-tester'

const names = ['name', 'pattern', 'replacement', 'flags', 'input'] as const
const flags = ['g', 'i', 'm', 's'] as const

const flagsOf = (values: Values<(typeof names)[number]>) => values.flags.replaceAll('\n', '')

/** A rule, tried while it is written. */
export function RuleForm({ rule, close }: { rule: RegexRule | null; close: () => void }) {
  const { at } = useCurrentConfig()
  const title = rule ? words.editRule(rule.name) : words.newRule
  const { form, errors, problem, busy } = useForm({
    names,
    check: ({ name, pattern }) => ({
      ...(!name.trim() && { name: words.nameMissing }),
      ...(!pattern && { pattern: words.rulePatternMissing }),
    }),
    send: async (values) => {
      const body = {
        name: values.name.trim(),
        pattern: values.pattern,
        replacement: values.replacement,
        flags: flagsOf(values),
      }
      await (rule ? changeRule(at, rule.id, body) : addRule(at, body))
      announce(words.saved(body.name))
    },
    saved: close,
    focusOnRefusal: 'pattern',
  })
  const [draft, setDraft] = useState({
    pattern: rule?.pattern ?? '',
    replacement: rule?.replacement ?? '',
    flags: rule?.flags ?? '',
    input: words.ruleInputExample as string,
  })
  const tried: ComponentProps<'form'> = {
    ...form,
    onChange: (event) => {
      form.onChange(event)
      const values = readValues(event.currentTarget, names)
      setDraft({ ...values, flags: flagsOf(values) })
    },
  }
  const code = { autoComplete: 'off', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const
  return (
    <DialogForm label={title} form={tried} busy={busy} problem={problem} verb={words.save} close={close}>
      <Field
        name="name"
        label={words.name}
        hint={words.ruleNameHint}
        defaultValue={rule?.name ?? ''}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        error={errors.name}
      />
      <Field
        {...code}
        name="pattern"
        label={words.rulePattern}
        hint={words.rulePatternHint}
        defaultValue={rule?.pattern ?? ''}
        maxLength={500}
        error={errors.pattern}
      />
      <Field
        {...code}
        name="replacement"
        label={words.ruleReplacement}
        hint={words.ruleReplacementHint}
        defaultValue={rule?.replacement ?? ''}
        maxLength={500}
        error={errors.replacement}
      />
      <RuleTester draft={draft}>
        <Field
          {...code}
          name="input"
          label={words.ruleInput}
          hint={words.ruleInputHint}
          defaultValue={words.ruleInputExample}
          maxLength={4000}
        />
      </RuleTester>
      <ChoiceList
        legend={words.ruleFlags}
        name="flags"
        chosen={[...(rule?.flags ?? '')]}
        error={errors.flags}
        choices={flags.map((value) => ({ value, ...words.ruleFlag[value] }))}
      />
    </DialogForm>
  )
}
