import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import providers from '../../../messages/en/sign-in-providers.json'
import m from '../../../messages/en/sign-in-report.json'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { SignInReport } from './sign-in-report'

/** The report of one recorded sign-in. */
export function SignInPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const { run } = getRouteApi('/signed-in/t/$slug/sso/$id/sign-ins/$run').useParams()
  const signIns = useQuery(signInsQuery(team.id, id))
  const signIn = signIns.data?.find((one) => one.id === run)
  if (signIn) return <SignInReport signIn={signIn} />
  if (signIns.isPending) return <RowsLoading rows={2} height={180} />
  if (signIns.isError) return <LoadError error={signIns.error} retry={() => signIns.refetch()} />
  return <ReportNotFound />
}

/** Replaces a report that was deleted or never existed. */
export function ReportNotFound() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const navigate = useNavigate()
  return (
    <Panel
      title={m.notFound()}
      about={m.notFoundLead()}
      action={
        <Button onClick={() => navigate({ to: '/t/$slug/sso/$id/sign-ins', params: { slug: team.slug, id } })}>
          {providers.allSignIns()}
        </Button>
      }
    />
  )
}
