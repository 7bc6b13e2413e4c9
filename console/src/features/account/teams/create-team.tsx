import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { nonEmpty, object, pipe, string, trim } from 'valibot'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import { atMost } from '../../../ui/form/at-most'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { useUnsaved } from '../../../ui/form/unsaved'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/layout/stack.module.css'
import { createTeam, teamsQuery } from '../../organizations/queries'

const schema = object({ name: pipe(string(), trim(), nonEmpty(m.nameMissing()), atMost(100)) })

export function CreateTeam() {
  const navigate = useNavigate()
  const write = useWrite({ act: createTeam, refresh: [teamsQuery.queryKey], showsError: true })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { name: '' },
    send: ({ name }) => write.mutateAsync(name.trim()),
    done: ({ slug }) => void navigate({ to: '/t/$slug', params: { slug } }),
  })
  useUnsaved(changes > 0)
  return (
    <form onSubmit={onSubmit} noValidate className={stack.narrow} aria-label={m.create()}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          key={form.key('name')}
          name="name"
          w="100%"
          label={m.name()}
          description={m.nameHint()}
          autoComplete="organization"
          {...form.getInputProps('name')}
        />
        <ProblemMessage problem={problem} />
        <Button type="submit" loading={busy}>
          {m.createSubmit()}
        </Button>
      </Stack>
    </form>
  )
}
