import { Select, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import m from '../../../messages/en/application-access.json'
import common from '../../../messages/en/common.json'
import { Dialog } from '../../../ui/dialogs/dialog'
import { candidatesQuery } from '../../groups/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import type { User } from '../../users/queries'
import { AccessResult } from '../../users/user/access-result'
import { userName } from '../../users/user-name'
import { useCurrentApplication } from '../current-application'

interface Props {
  /** null to search for one */
  user: User | null
  close: () => void
}

/** Explains why a user can or can't open the application. */
export function CheckDialog({ user, close }: Props) {
  const { id } = useCurrentApplication()
  const [chosen, setChosen] = useState(user)
  return (
    <Dialog opened onClose={close} title={user ? m.checkLabel({ name: userName(user) }) : m.check()}>
      <Stack gap="sm">
        {!user && <UserSelect choose={setChosen} />}
        {chosen && <AccessResult userId={chosen.id} name={userName(chosen)} applicationId={id} />}
      </Stack>
    </Dialog>
  )
}

const labelOf = (user: User) => `${userName(user)} · ${user.email}`

function UserSelect({ choose }: { choose: (user: User | null) => void }) {
  const { team } = useCurrentTeam()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<User | null>(null)
  // A choice sets the search text to its label, which the service would not find.
  const [search] = useDebouncedValue(chosen && text === labelOf(chosen) ? '' : text.trim(), 200)
  const found = useQuery(candidatesQuery(team.id, search))
  const users = found.data ?? []
  return (
    <Select
      label={m.user()}
      placeholder={m.checkSearch()}
      searchable
      data-autofocus
      data={users.map((one) => ({ value: one.id as string, label: labelOf(one) }))}
      // The service has searched already, without case and accents.
      filter={({ options }) => options}
      searchValue={text}
      onSearchChange={setText}
      {...(found.isFetching && { nothingFoundMessage: common.loading() })}
      onChange={(value) => {
        const user = users.find((one) => one.id === value) ?? null
        setChosen(user)
        choose(user)
      }}
    />
  )
}
