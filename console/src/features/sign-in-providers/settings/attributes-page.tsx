import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { announce } from '../../../ui/announcer'
import { Field } from '../../../ui/form/field'
import type { Errors } from '../../../ui/form/form-fields'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { SaveButton } from '../../../ui/form/save-button'
import { useForm } from '../../../ui/form/use-form'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'
import { formWords, ssoWords as words } from '../../../words'
import { WriteGate } from '../../applications/write-gate'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { changeProvider, signInsQuery } from '../queries'
import { ReceivedTable } from '../sign-ins/received-table'
import {
  mappingOf,
  namesFor,
  namesIn,
  type ProfileField,
  plainNames,
  profileFields,
  usualNames,
} from './attribute-names'

export function AttributesPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const last = useQuery(signInsQuery(team.id, id)).data?.find(({ attributes }) => hasAny(attributes.received))
  const received = last?.attributes.received ?? {}
  return (
    <>
      <WriteGate permission="sso:write" text={words.readOnly}>
        <MappingForm received={received} />
      </WriteGate>
      <Panel
        title={words.sample}
        about={
          last ? (
            <>
              {words.sampleAbout} <RelativeTime at={last.createdAt} />
            </>
          ) : (
            words.noSample
          )
        }
      >
        {last && <ReceivedTable received={received} />}
      </Panel>
    </>
  )
}

const hasAny = (values: Record<string, string> | undefined) => values !== undefined && Object.keys(values).length > 0

function MappingForm({ received }: { received: Record<string, string> }) {
  const { team } = useCurrentTeam()
  const provider = useCurrentProvider()
  const [saved, setSaved] = useState(false)
  const list = useId()
  const usual = usualNames(provider)
  const { form, errors, problem, busy, dirty } = useForm({
    names: profileFields,
    check: wrongMapping,
    send: async (values) => {
      await changeProvider(team.id, provider.id, { attributeMapping: mappingOf(values, provider.attributeMapping) })
    },
    saved: () => {
      setSaved(true)
      announce(formWords.saved)
    },
  })
  useUnsaved(dirty)

  function hintOf(field: ProfileField) {
    const own = namesFor(field, provider.attributeMapping)
    const names = own ? namesIn(own) : (usual[field] ?? [])
    const sample = names.map((name) => (Object.hasOwn(received, name) ? received[name] : undefined)).find(Boolean)
    if (sample) return words.mappingSample(sample)
    if (field === 'groups') return words.mappingGroups
    const known = plainNames(usual[field] ?? [])
    return known.length > 0 ? words.mappingDefault(known.join(', ')) : words.mappingNoDefault
  }

  return (
    <form {...form} className={stack.parts} aria-label={words.mapping}>
      <Panel title={words.mapping} about={words.mappingAbout}>
        <div className={stack.columns}>
          {profileFields.map((field) => (
            <Field
              key={field}
              name={field}
              label={words.field(field)}
              hint={hintOf(field)}
              placeholder={usual[field]?.[0]}
              defaultValue={namesFor(field, provider.attributeMapping)}
              list={list}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              error={errors[field]}
            />
          ))}
        </div>
        <datalist id={list}>
          {Object.keys(received).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Panel>
      <ProblemMessage problem={problem} />
      <SaveButton busy={busy} dirty={dirty} saved={saved} />
    </form>
  )
}

/** An attribute fills one field: the mapping has no room for a second one. */
function wrongMapping(values: Record<ProfileField, string>): Errors<ProfileField> {
  const seen = new Set<string>()
  const wrong = profileFields.filter((field) => {
    const names = namesIn(values[field])
    const twice = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return twice
  })
  return Object.fromEntries(wrong.map((field) => [field, words.mappingTwice]))
}
