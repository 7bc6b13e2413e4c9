import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type GenericSchema, object, pipe, string } from 'valibot'
import common from '../../../messages/en/common.json'
import m from '../../../messages/en/sign-in-providers.json'
import { type FieldErrors, fieldRules } from '../../../ui/form/field-rules'
import { SaveBar } from '../../../ui/form/save-bar'
import { technical } from '../../../ui/form/technical'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { useProviderWrites } from '../mutations'
import { signInsQuery } from '../queries'
import { ReceivedTable } from '../sign-ins/received-table'
import {
  defaultNames,
  mappingOf,
  namesFor,
  namesIn,
  type ProfileField,
  profileFields,
  shortNames,
} from './attribute-names'

/** The attribute mapping of a provider, with the attributes that it sent last. */
export function AttributesPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const last = useQuery(signInsQuery(team.id, id)).data?.find(({ attributes }) => hasAny(attributes.received))
  const received = last?.attributes.received ?? {}
  return (
    <>
      <WriteGate permission="sso:write" text={m.readOnly()}>
        <MappingForm received={received} />
      </WriteGate>
      <Panel
        title={m.sample()}
        about={
          last ? (
            <>
              {m.sampleHelp()} <RelativeTime at={last.createdAt} />
            </>
          ) : (
            m.noSample()
          )
        }
      >
        {last && <ReceivedTable received={received} />}
      </Panel>
    </>
  )
}

const hasAny = (values: Record<string, string> | undefined) => values !== undefined && Object.keys(values).length > 0

type MappingValues = Record<ProfileField, string>

const schema = pipe(
  object(
    Object.fromEntries(profileFields.map((field) => [field, string()])),
  ) as unknown as GenericSchema<MappingValues>,
  fieldRules<MappingValues>(mappingErrors),
)

function MappingForm({ received }: { received: Record<string, string> }) {
  const provider = useCurrentProvider()
  const { attributeMapping } = provider
  const { change } = useProviderWrites(() => common.saved())
  const list = useId()
  const defaults = defaultNames(provider)
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm<MappingValues>({
    schema,
    initial: Object.fromEntries(
      profileFields.map((field) => [field, namesFor(field, attributeMapping)]),
    ) as MappingValues,
    send: (values) => change.mutateAsync({ attributeMapping: mappingOf(values, attributeMapping) }),
    mode: 'controlled',
  })

  function helpOf(field: ProfileField) {
    const own = namesFor(field, attributeMapping)
    const names = own ? namesIn(own) : (defaults[field] ?? [])
    const sample = names.map((name) => (Object.hasOwn(received, name) ? received[name] : undefined)).find(Boolean)
    if (sample) return m.mappingSample({ value: sample })
    if (field === 'groups') return m.mappingGroups()
    const known = shortNames(defaults[field] ?? [])
    return known.length > 0 ? m.mappingDefault({ names: known.join(', ') }) : m.mappingNoDefault()
  }

  return (
    <form onSubmit={onSubmit} noValidate className={stack.parts} aria-label={m.mapping()}>
      <Panel title={m.mapping()} about={m.mappingHelp()}>
        <div className={stack.columns}>
          {profileFields.map((field) => (
            <TextInput
              {...technical}
              key={field}
              label={m.field({ field })}
              description={helpOf(field)}
              placeholder={defaults[field]?.[0]}
              list={list}
              {...form.getInputProps(field)}
            />
          ))}
        </div>
        <datalist id={list}>
          {Object.keys(received).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Panel>
      <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
    </form>
  )
}

/** An attribute can fill one field only: the mapping is keyed by attribute. */
function mappingErrors(values: MappingValues): FieldErrors<MappingValues> {
  const seen = new Set<string>()
  const invalid = profileFields.filter((field) => {
    const names = namesIn(values[field])
    const isTwice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return isTwice
  })
  return Object.fromEntries(invalid.map((field) => [field, m.mappingTwice()]))
}
