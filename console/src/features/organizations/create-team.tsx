import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import m from '../../messages/en/own-teams.json'
import { Field } from '../../ui/form/field'
import { ProblemMessage } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'
import { useUnsaved } from '../../ui/unsaved'
import { createTeam, teamsQuery } from './queries'

export function CreateTeam() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const made = useRef('')
  const { form, errors, problem, busy, dirty } = useForm({
    names: ['name'],
    check: ({ name }) => (name.trim() ? {} : { name: m.nameMissing() }),
    send: async ({ name }) => {
      const team = await createTeam(name.trim())
      made.current = team.slug
      await queries.invalidateQueries({ queryKey: teamsQuery.queryKey })
    },
    saved: () => navigate({ to: '/t/$slug', params: { slug: made.current } }),
    focusOnRefusal: 'name',
  })
  useUnsaved(dirty)
  return (
    <form {...form} className={stack.narrow} aria-label={m.create()}>
      <ProblemMessage problem={problem} />
      <Field
        name="name"
        label={m.name()}
        hint={m.nameHint()}
        autoComplete="organization"
        maxLength={100}
        error={errors.name}
        required
      />
      <SubmitButton busy={busy} mt={12} fullWidth={false}>
        {m.createSubmit()}
      </SubmitButton>
    </form>
  )
}
