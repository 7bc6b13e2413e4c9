import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import { pageWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { SignInReport } from './sign-in-report'

/** One of the recorded sign-ins. */
export function SignInPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const { run } = getRouteApi('/signed-in/t/$slug/sso/$id/sign-ins/$run').useParams()
  const navigate = useNavigate()
  const signIns = useQuery(signInsQuery(team.id, id))
  const signIn = signIns.data?.find((one) => one.id === run)
  if (signIn) return <SignInReport signIn={signIn} />
  if (signIns.isPending) return <RowsLoading rows={2} height={180} />
  if (signIns.isError) return <LoadError error={signIns.error} retry={() => signIns.refetch()} />
  return (
    <Panel
      title={pageWords.notFoundTitle}
      about={words.signInsAbout}
      action={
        <Button onClick={() => navigate({ to: '/t/$slug/sso/$id/sign-ins', params: { slug: team.slug, id } })}>
          {words.toSignIns}
        </Button>
      }
    />
  )
}
