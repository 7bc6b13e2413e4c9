import { useQuery } from '@tanstack/react-query'
import m from '../../../messages/en/saml-keys.json'
import stack from '../../../ui/layout/stack.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { More } from '../../../ui/page/more'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { CertificateBlock } from './certificate-block'
import { samlKeysQuery } from './queries'

/** The certificate of the active key of a team, for providers that don't read metadata. */
export function OurCertificate({ teamId }: { teamId: string }) {
  const keys = useQuery(samlKeysQuery({ teamId }))
  const active = keys.data?.find(({ state }) => state === 'active')
  return (
    <div className={stack.tight}>
      <p className={`${stack.dimmed} ${stack.small}`}>{m.oursAbout()}</p>
      <More summary={m.showCertificate()}>
        {keys.isPending && <RowsLoading rows={1} height={120} />}
        {keys.isError && <LoadError error={keys.error} retry={() => keys.refetch()} />}
        {active && <CertificateBlock certificate={active.certificate} file="service-provider-certificate.pem" />}
      </More>
    </div>
  )
}
