import { Anchor, ColorInput, NumberInput, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { parse } from 'valibot'
import type { Team } from '../../api/contract'
import { useSession } from '../../api/use-session'
import { useWrite } from '../../api/use-write'
import common from '../../messages/en/common.json'
import m from '../../messages/en/team-settings.json'
import { SaveBar } from '../../ui/form/save-bar'
import { useSchemaForm } from '../../ui/form/use-schema-form'
import { Page } from '../../ui/page/page'
import { Panel } from '../../ui/page/panel'
import { LeaveTeam } from '../account/teams/leave-team'
import { useCurrentTeam } from '../organizations/current-team'
import { DeleteTeam } from './delete-team'
import { changesOf, changeTeam, type TeamValues, teamSchema, valuesOf } from './team-form'

/** For fields beside others without a description. */
const HELP_BELOW: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

/** Name, appearance, joining and limits of the team, and how to leave and delete it. */
export function TeamSettingsPage() {
  const { team, me } = useCurrentTeam()
  const current = useSession()?.team?.id === team.id
  const mayChange = me.permissions.includes('org:update')
  return (
    <Page title={m.title()} {...(!mayChange && { lead: m.readOnly() })}>
      <SettingsForm mayChange={mayChange} />
      <Panel title={m.leaveTitle()} about={m.leaveAbout()} action={<LeaveTeam team={team} current={current} />} />
      {me.permissions.includes('org:delete') && <DeleteTeam current={current} />}
    </Page>
  )
}

function SettingsForm({ mayChange }: { mayChange: boolean }) {
  const { team, me } = useCurrentTeam()
  // The team that the fields show: a change by another administrator must not discard what is typed, nor be overwritten by it.
  const [shown, setShown] = useState(team)
  const [saved, setSaved] = useState<Team | null>(null)
  useSavedTeam(saved)
  const write = useWrite({
    act: (values: TeamValues) => changeTeam(team.id, changesOf(shown, parse(teamSchema, values))),
    refresh: [],
    done: () => common.saved(),
    showsError: true,
  })
  const { form, problem, busy, changes, discard, onSubmit } = useSchemaForm({
    schema: teamSchema,
    initial: valuesOf(shown),
    send: async (values) => {
      const next = await write.mutateAsync(values)
      setShown(next)
      setSaved(next)
    },
  })
  const field = (name: keyof TeamValues) => ({
    ...form.getInputProps(name),
    key: form.key(name),
    readOnly: !mayChange || busy,
  })
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Panel title={m.general()}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <TextInput label={m.name()} {...field('name')} />
            <TextInput
              label={m.slug()}
              description={m.slugHelp({ url: `/t/${team.slug}` })}
              inputWrapperOrder={HELP_BELOW}
              autoCapitalize="none"
              spellCheck={false}
              {...field('slug')}
            />
          </SimpleGrid>
        </Panel>
        <Panel title={m.appearance()} about={m.appearanceAbout()}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            <TextInput label={m.logoUrl()} description={m.logoHelp()} inputMode="url" {...field('logoUrl')} />
            <ColorInput
              label={m.color()}
              description={m.colorHelp()}
              format="hex"
              withEyeDropper={false}
              {...field('primaryColor')}
            />
          </SimpleGrid>
        </Panel>
        <Panel
          title={m.joining()}
          action={
            me.permissions.includes('sso:read') && (
              <Anchor renderRoot={(props) => <Link to="/t/$slug/sso" params={{ slug: team.slug }} {...props} />}>
                {m.verifyDomains()}
              </Anchor>
            )
          }
        >
          <TagsInput
            label={m.allowedDomains()}
            description={m.allowedDomainsHelp()}
            splitChars={[',', ' ', ';']}
            acceptValueOnBlur
            {...field('allowedDomains')}
          />
        </Panel>
        <Panel title={m.limits()} about={m.limitsAbout()}>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
            <NumberInput label={m.maxMembers()} min={1} thousandSeparator="," {...field('maxMembers')} />
            <NumberInput label={m.maxApplications()} min={1} thousandSeparator="," {...field('maxApplications')} />
            <NumberInput
              label={m.sessionDays()}
              description={m.sessionDaysHelp()}
              min={1}
              max={365}
              inputWrapperOrder={HELP_BELOW}
              {...field('sessionMaxLifetimeDays')}
            />
          </SimpleGrid>
        </Panel>
        <SaveBar changes={changes} busy={busy} problem={problem} discard={discard} />
      </Stack>
    </form>
  )
}

/** Shows the saved team, at its new URL if the slug has changed. In an effect: by then, the page has no unsaved changes. */
function useSavedTeam(saved: Team | null): void {
  const { team } = useCurrentTeam()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { slug } = team
  useEffect(() => {
    if (!saved) return
    void client.invalidateQueries({ queryKey: ['mine'] })
    if (saved.slug !== slug) void navigate({ to: '/t/$slug/settings', params: { slug: saved.slug }, replace: true })
  }, [saved, slug, client, navigate])
}
