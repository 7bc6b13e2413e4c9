import { Button, SegmentedControl } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import m from '../../messages/en/overview.json'
import { Icon } from '../../ui/icons/icon'
import { Page } from '../../ui/page/page'
import { useCurrentTeam } from '../organizations/current-team'
import { ApplicationsPanel } from './applications-panel'
import { AttentionPanel } from './attention-panel'
import { CoveragePanel } from './coverage-panel'
import { FailuresPanel } from './failures-panel'
import { NextSteps } from './next-steps'
import styles from './overview.module.css'
import { DEFAULT_DAYS, RANGES, type Range } from './range'
import { SignInsPanel } from './sign-ins-panel'
import { Tiles } from './tiles'

const route = getRouteApi('/signed-in/t/$slug/')

/** The landing page of administrators: numbers of the team, and what needs attention, as far as the user may see it. */
export function OverviewPage() {
  const { team, me } = useCurrentTeam()
  const { days = DEFAULT_DAYS } = route.useSearch()
  const navigate = useNavigate()
  const can = (permission: string) => me.permissions.includes(permission)
  const params = { slug: team.slug }
  const seesSignIns = can('audit:read')
  const seesUsers = can('users:read')
  return (
    <Page
      title={m.title()}
      aside={
        <>
          {seesSignIns && (
            <SegmentedControl
              aria-label={m.range()}
              data={RANGES.map((range) => ({ value: String(range), label: m.days({ days: range }) }))}
              value={String(days)}
              onChange={(value) => navigate({ to: '.', search: { days: Number(value) as Range }, replace: true })}
            />
          )}
          {can('members:write') && (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/t/$slug/users" params={params} search={{ new: 'invitation' }} {...props} />
              )}
            >
              {m.inviteUsers()}
            </Button>
          )}
          {can('applications:write') && (
            <Button
              leftSection={<Icon name="plus" />}
              renderRoot={(props) => <Link to="/t/$slug/applications/new" params={params} {...props} />}
            >
              {m.createApplication()}
            </Button>
          )}
        </>
      }
    >
      <NextSteps team={team} me={me} can={can} />
      <Tiles team={team} days={days} can={can} />
      {(seesSignIns || seesUsers) && (
        <div className={styles.two}>
          {seesSignIns && <SignInsPanel teamId={team.id} days={days} />}
          {seesUsers && <CoveragePanel team={team} />}
        </div>
      )}
      <div className={styles.three}>
        <AttentionPanel team={team} can={can} />
        {seesSignIns && <FailuresPanel teamId={team.id} />}
        {can('applications:read') && <ApplicationsPanel team={team} />}
      </div>
    </Page>
  )
}
