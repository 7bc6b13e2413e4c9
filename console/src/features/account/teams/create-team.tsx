import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { maxLength, nonEmpty, object, pipe, string, trim } from 'valibot'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import stack from '../../../ui/stack.module.css'
import { useUnsaved } from '../../../ui/unsaved'
import { createTeam, teamsQuery } from '../../organizations/queries'

const schema = object({ name: pipe(string(), trim(), nonEmpty(m.nameMissing()), maxLength(100)) })

export function CreateTeam() {
  const navigate = useNavigate()
  const write = useWrite({ act: createTeam, refresh: [teamsQuery.queryKey], showsError: true })
  const { form, problem, busy, changes, onSubmit } = useSchemaForm({
    schema,
    initial: { name: '' },
    send: ({ name }) => write.mutateAsync(name.trim()),
  })
  const slug = write.data?.slug
  const isClean = changes === 0
  useUnsaved(!isClean)
  useEffect(() => {
    if (slug && isClean) void navigate({ to: '/t/$slug', params: { slug } })
  }, [slug, isClean, navigate])
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
