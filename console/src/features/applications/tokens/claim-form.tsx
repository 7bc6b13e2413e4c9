import { useQuery } from '@tanstack/react-query'
import type { Claim, ClaimAttribute, NewClaim } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { ChoiceList } from '../../../ui/form/choice-list'
import { DialogForm } from '../../../ui/form/dialog-form'
import { Field } from '../../../ui/form/field'
import { filledRows } from '../../../ui/form/rows-field'
import { Select } from '../../../ui/form/select'
import { useForm } from '../../../ui/form/use-form'
import { LoadError } from '../../../ui/load-error'
import { RowsLoading } from '../../../ui/rows-loading'
import { tokenWords as words } from '../../../words'
import { addClaim, attributesQuery, changeClaim } from './calls'
import { useCurrentConfig } from './current-config'

const targets = ['ID_TOKEN', 'ACCESS_TOKEN'] as const

interface Props {
  claim: Claim | null
  close: () => void
}

export function ClaimForm(props: Props) {
  const { at } = useCurrentConfig()
  const attributes = useQuery(attributesQuery(at))
  if (attributes.isError) return <LoadError error={attributes.error} retry={() => attributes.refetch()} />
  if (!attributes.data) return <RowsLoading rows={3} height={72} />
  return <Fields {...props} attributes={attributes.data} />
}

function Fields({ claim, close, attributes }: Props & { attributes: ClaimAttribute[] }) {
  const { config, at } = useCurrentConfig()
  const title = claim ? words.editClaim(claim.name) : words.newClaim
  const { form, errors, problem, busy } = useForm({
    names: ['name', 'userAttribute', 'regexRuleId', 'targetTokens'],
    check: ({ name, targetTokens }) => ({
      ...(!name.trim() && { name: words.nameMissing }),
      ...(!targetTokens && { targetTokens: words.claimTokensMissing }),
    }),
    send: async ({ name, userAttribute, regexRuleId, targetTokens }) => {
      const chosen = filledRows(targetTokens)
      const body = {
        name: name.trim(),
        // What the list offers is what the service takes.
        userAttribute: userAttribute as NewClaim['userAttribute'],
        regexRuleId: regexRuleId || null,
        targetTokens: targets.filter((target) => chosen.includes(target)),
      }
      await (claim ? changeClaim(at, claim.id, body) : addClaim(at, body))
      announce(words.saved(body.name))
    },
    saved: close,
    focusOnRefusal: 'name',
  })
  return (
    <DialogForm label={title} form={form} busy={busy} problem={problem} verb={words.save} close={close}>
      <Field
        name="name"
        label={words.claimName}
        hint={words.claimNameHint}
        defaultValue={claim?.name ?? ''}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        error={errors.name}
      />
      <Select
        name="userAttribute"
        label={words.claimAttributeLabel}
        defaultValue={claim?.userAttribute ?? 'email'}
        choices={attributes.map(({ name, description }) => ({ value: name, name: `${name}: ${description}` }))}
        error={errors.userAttribute}
      />
      <Select
        name="regexRuleId"
        label={words.claimRule}
        hint={words.claimRuleHint}
        defaultValue={claim?.regexRuleId ?? ''}
        choices={[
          { value: '', name: words.claimNoRule },
          ...config.regexRules.map(({ id, name }) => ({ value: id, name })),
        ]}
        error={errors.regexRuleId}
      />
      <ChoiceList
        legend={words.claimTokens}
        name="targetTokens"
        chosen={claim?.targetTokens ?? ['ID_TOKEN']}
        error={errors.targetTokens}
        choices={targets.map((value) => ({ value, title: words.tokenName(value), about: words.tokenAbout[value] }))}
      />
    </DialogForm>
  )
}
