import { Checkbox, Select, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { array, minLength, object, pipe, string, trim } from 'valibot'
import type { Claim, NewClaim } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { addClaim, attributesQuery, changeClaim } from './calls'
import { useCurrentConfig } from './current-config'
import { useConfigWrite } from './use-config-write'

const TARGETS = ['ID_TOKEN', 'ACCESS_TOKEN'] as const
const NO_RULE = 'none'

const schema = object({
  name: pipe(string(), trim(), minLength(1, m.nameMissing())),
  userAttribute: string(),
  regexRuleId: string(),
  targetTokens: pipe(array(string()), minLength(1, m.claimTokensMissing())),
})

interface Props {
  /** null for a new claim */
  claim: Claim | null
  close: () => void
}

/** Creates or changes a claim. */
export function ClaimForm({ claim, close }: Props) {
  const { config, at } = useCurrentConfig()
  const attributes = useQuery(attributesQuery(at)).data ?? []
  const save = useConfigWrite(
    (body: NewClaim) => (claim ? changeClaim(at, claim.id, body) : addClaim(at, body)),
    ({ name }) => m.saved({ name }),
  )
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: {
      name: claim?.name ?? '',
      userAttribute: (claim?.userAttribute ?? 'email') as string,
      regexRuleId: (claim?.regexRuleId ?? NO_RULE) as string,
      targetTokens: (claim?.targetTokens ?? ['ID_TOKEN']) as string[],
    },
    send: ({ name, userAttribute, regexRuleId, targetTokens }) =>
      save.mutateAsync({
        name: name.trim(),
        // The list offers only what the service accepts.
        userAttribute: userAttribute as NewClaim['userAttribute'],
        regexRuleId: regexRuleId === NO_RULE ? null : regexRuleId,
        targetTokens: TARGETS.filter((target) => targetTokens.includes(target)),
      }),
    done: close,
  })
  return (
    <FormDialog
      opened
      close={close}
      title={claim ? m.editClaim({ name: claim.name }) : m.newClaim()}
      verb={m.save()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <TextInput
        label={m.claimName()}
        description={m.claimNameHint()}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Select
        label={m.claimAttribute()}
        searchable
        allowDeselect={false}
        data={attributes.map(({ name, description }) => ({ value: name, label: `${name}: ${description}` }))}
        key={form.key('userAttribute')}
        {...form.getInputProps('userAttribute')}
      />
      <Select
        label={m.claimRule()}
        description={m.claimRuleHint()}
        allowDeselect={false}
        data={[
          { value: NO_RULE, label: m.claimNoRule() },
          ...config.regexRules.map(({ id, name }) => ({ value: id as string, label: name })),
        ]}
        key={form.key('regexRuleId')}
        {...form.getInputProps('regexRuleId')}
      />
      <Checkbox.Group label={m.claimTokens()} key={form.key('targetTokens')} {...form.getInputProps('targetTokens')}>
        <Stack gap="xs" mt="xs">
          {TARGETS.map((token) => (
            <Checkbox key={token} value={token} label={m.tokenName({ token })} description={m.tokenAbout({ token })} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
