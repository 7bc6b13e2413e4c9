import { TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import m from '../../../messages/en/tokens.json'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Pills } from '../../../ui/values/pills'
import { useDebounced } from '../../../ui/values/use-debounced'
import { personName } from '../../account/profile/person-name'
import { useCurrentTeam } from '../../organizations/current-team'
import { usersQuery } from './calls'
import { useCurrentConfig } from './current-config'

interface Props {
  /** the ID of the chosen user */
  value: string
  choose: (userId: string) => void
}

/** Chooses the signed-in user, or a user of the team by a search. */
export function UserChoice({ value, choose }: Props) {
  const { me } = useCurrentTeam()
  const { at } = useCurrentConfig()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const [chosen, setChosen] = useState<{ value: string; name: string } | null>(null)
  const maySearch = me.permissions.includes('users:read')
  const users = useQuery({
    ...usersQuery(at.teamId, search),
    enabled: maySearch && search !== '',
    placeholderData: keepPreviousData,
  })
  const found = search ? (users.data ?? []) : []
  const mine = { value: me.user.id as string, name: m.previewMe({ name: personName(me.user) ?? me.user.email }) }
  const others = found
    .filter(({ id }) => id !== mine.value)
    .map((user) => ({ value: user.id as string, name: personName(user) ?? user.email }))
  // The chosen user stays visible during the next search.
  const kept = chosen && chosen.value === value && ![mine, ...others].some((one) => one.value === value) ? [chosen] : []
  const choices = [mine, ...kept, ...others]
  return (
    <div className={stack.tight}>
      <Pills
        legend={m.previewUser()}
        showLegend
        choices={choices}
        value={value}
        choose={(id) => {
          setChosen(choices.find((one) => one.value === id) ?? null)
          choose(id)
        }}
      />
      {maySearch && (
        <TextInput
          type="search"
          label={m.previewSearch()}
          description={search && users.data && others.length === 0 ? m.previewNoUser() : m.previewSearchHint()}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
        />
      )}
      {users.isError && <LoadError error={users.error} retry={() => users.refetch()} />}
    </div>
  )
}
