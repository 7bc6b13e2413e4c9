import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Field } from '../../../ui/form/field'
import { LoadError } from '../../../ui/load-error'
import { Pills } from '../../../ui/pills'
import stack from '../../../ui/stack.module.css'
import { useDebounced } from '../../../ui/use-debounced'
import { tokenWords as words } from '../../../words'
import { personName } from '../../identities/person-name'
import { useCurrentTeam } from '../../organizations/current-team'
import { peopleQuery } from './calls'
import { useCurrentConfig } from './current-config'

interface Props {
  /** the id of the chosen one */
  value: string
  choose: (userId: string) => void
}

/** Whose tokens: mine, or those of anybody in the team who is found by name. */
export function PersonChoice({ value, choose }: Props) {
  const { me } = useCurrentTeam()
  const { at } = useCurrentConfig()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const [chosen, setChosen] = useState<{ value: string; name: string } | null>(null)
  const maySearch = me.permissions.includes('users:read')
  const people = useQuery({
    ...peopleQuery(at.teamId, search),
    enabled: maySearch && search !== '',
    placeholderData: keepPreviousData,
  })
  const found = search ? (people.data ?? []) : []
  const mine = { value: me.user.id as string, name: words.previewMe(personName(me.user) ?? me.user.email) }
  const others = found
    .filter(({ id }) => id !== mine.value)
    .map((user) => ({ value: user.id as string, name: personName(user) ?? user.email }))
  // Whoever is chosen stays in sight, whatever is searched for next.
  const kept = chosen && chosen.value === value && ![mine, ...others].some((one) => one.value === value) ? [chosen] : []
  const choices = [mine, ...kept, ...others]
  return (
    <div className={stack.tight}>
      <Pills
        legend={words.previewPerson}
        showLegend
        choices={choices}
        value={value}
        choose={(id) => {
          setChosen(choices.find((one) => one.value === id) ?? null)
          choose(id)
        }}
      />
      {maySearch && (
        <Field
          name="person"
          type="search"
          label={words.previewSearch}
          hint={search && people.data && others.length === 0 ? words.previewNobody : words.previewSearchHint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
        />
      )}
      {people.isError && <LoadError error={people.error} retry={() => people.refetch()} />}
    </div>
  )
}
