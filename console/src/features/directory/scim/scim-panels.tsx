import { useState } from 'react'
import type { ScimRequest, ScimToken, ScimTokens } from '../../../api/contract'
import { ConnectPanel } from './connect-panel'
import { FirstContactPanel } from './first-contact-panel'
import { CamePanel } from './provisioned-panel'
import { RequestsPanel } from './requests-panel'
import { TokensPanel } from './tokens-panel'
import { useRequests } from './use-requests'

interface Props {
  tokens: ScimToken[]
  written: ScimTokens['written']
  /** the requests that the page began with */
  known: ScimRequest[]
}

/**
 * To set a directory up is read from the top: which one, its token, its first request. Where one is connected already, what it did comes
 * first. The order is that of the moment when the page was opened: nothing changes places under the eyes of whoever waits.
 */
export function ScimPanels({ tokens, written, known }: Props) {
  const [connected] = useState(known.length > 0)
  const requests = useRequests(tokens)
  const all = requests.data ?? known
  const came = <CamePanel written={written} last={all[0]} />
  return (
    <>
      {connected ? came : <ConnectPanel />}
      <TokensPanel tokens={tokens} />
      <FirstContactPanel tokens={tokens} requests={all} />
      {!connected && all.length > 0 && came}
      <RequestsPanel requests={all} error={requests.error} />
      {connected && <ConnectPanel folded />}
    </>
  )
}
