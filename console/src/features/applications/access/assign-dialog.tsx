import { type ComboboxParsedItem, MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { array, minLength, object, pipe, string } from 'valibot'
import m from '../../../messages/en/application-access.json'
import common from '../../../messages/en/common.json'
import { FormDialog } from '../../../ui/form/form-dialog'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { candidatesQuery, groupsQuery } from '../../groups/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import { userName } from '../../users/user-name'
import { useCurrentApplication } from '../current-application'
import { type Assigned, useAssignment } from './use-assignment'

const schema = object({ ids: pipe(array(string()), minLength(1, m.chooseOne())) })

interface Choice {
  value: string
  label: string
}

interface Props {
  kind: 'users' | 'groups'
  assigned: Assigned
  close: () => void
}

/** Assigns users or groups, found by a search of the service. */
export function AssignDialog({ kind, assigned, close }: Props) {
  const { assignmentRequired } = useCurrentApplication()
  const { add } = useAssignment(kind, assigned)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const candidates = useCandidates(kind, search)
  const found = candidates.choices.filter(({ value }) => !assigned.ids.includes(value))
  const isFound = (option: ComboboxParsedItem) =>
    'value' in option && candidates.choices.some(({ value }) => value === option.value)
  // The labels of chosen values that the present search does not find.
  const [chosen, setChosen] = useState<Choice[]>([])
  const choices = [...chosen, ...found.filter(({ value }) => !chosen.some((one) => one.value === value))]
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { ids: [] as string[] },
    send: ({ ids }) => add.mutateAsync(ids),
    done: close,
  })
  const field = form.getInputProps('ids')
  return (
    <FormDialog
      opened
      close={close}
      title={kind === 'users' ? m.assignUsers() : m.assignGroups()}
      verb={m.assign()}
      busy={busy}
      changes={changes}
      problem={problem}
      onSubmit={onSubmit}
    >
      <MultiSelect
        {...field}
        key={form.key('ids')}
        label={kind === 'users' ? m.usersLabel() : m.groupsLabel()}
        description={assignmentRequired ? undefined : m.firstAssignment()}
        placeholder={kind === 'users' ? m.usersSearch() : m.groupsSearch()}
        data-autofocus
        searchable
        searchValue={text}
        onSearchChange={setText}
        // The service has searched already, without case and accents. Chosen values do not all match the text.
        filter={({ options }) => (text.trim() === '' ? options : options.filter(isFound))}
        {...(candidates.isSearching && { nothingFoundMessage: common.loading() })}
        data={choices}
        onChange={(ids: string[]) => {
          setChosen(choices.filter(({ value }) => ids.includes(value)))
          field.onChange(ids)
        }}
      />
    </FormDialog>
  )
}

/** The first users or groups that match a search. */
function useCandidates(kind: Props['kind'], search: string): { choices: Choice[]; isSearching: boolean } {
  const { team } = useCurrentTeam()
  const users = useQuery({ ...candidatesQuery(team.id, search), enabled: kind === 'users' })
  const view = { page: 1, limit: 25, filters: {}, ...(search && { q: search }) }
  const groups = useQuery({ ...groupsQuery(team.id, view), enabled: kind === 'groups' })
  const choices =
    kind === 'users'
      ? users.data?.map((user) => ({ value: user.id, label: `${userName(user)} · ${user.email}` }))
      : groups.data?.data.map(({ id, name }) => ({ value: id, label: name }))
  return { choices: choices ?? [], isSearching: users.isFetching || groups.isFetching }
}
