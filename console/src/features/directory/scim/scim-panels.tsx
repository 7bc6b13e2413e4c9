import { type MouseEvent, useRef, useState } from 'react'
import type { ScimRequest, ScimToken, ScimTokens } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import { Columns } from '../../../ui/page/columns'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { ConnectSteps } from './connect-steps'
import { CreateToken } from './create-token'
import { FirstRequest } from './first-request'
import { ProvisionedPanel } from './provisioned-panel'
import { RequestsPanel } from './requests-panel'
import { TokensPanel } from './tokens-panel'
import { useFirstRequest } from './use-first-request'
import { useRequests } from './use-requests'
import { useScimSearch } from './use-scim-search'

interface Props {
  tokens: ScimToken[]
  written: ScimTokens['written']
  /** the requests when the page was opened */
  initial: ScimRequest[]
}

/**
 * The setup comes first until a directory is connected, afterwards what it provisioned. The order is that of the time when the page was
 * opened, so that nothing moves while an administrator waits for the first request.
 */
export function ScimPanels({ tokens, written, initial }: Props) {
  const { search } = useScimSearch()
  const [isConnected] = useState(initial.length > 0)
  const [creating, setCreating] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const requests = useRequests(tokens)
  const all = requests.data ?? initial
  const first = useFirstRequest(tokens, all)
  const create = (event: MouseEvent<HTMLButtonElement>) => {
    opener.current = event.currentTarget
    setCreating(true)
  }
  const focusOpener = () => setTimeout(() => opener.current?.focus())
  const provisioned = all.length > 0 && <ProvisionedPanel written={written} last={all[0]} />
  const tokensPanel = tokens.length > 0 && <TokensPanel tokens={tokens} create={create} />
  const requestsPanel = tokens.length + all.length > 0 && <RequestsPanel requests={all} error={requests.error} />
  return (
    <>
      {isConnected ? (
        <>
          <Columns side={provisioned}>
            {(first.waiting || first.title) && (
              <Panel title={m.stepRequest()}>
                <FirstRequest first={first} />
              </Panel>
            )}
            {requestsPanel}
            {tokensPanel}
          </Columns>
          <Panel title={m.connectAnother()} hideTitle>
            <More summary={m.connectAnother()} open={search.from !== undefined}>
              <ConnectSteps tokens={tokens} first={first} create={create} />
            </More>
          </Panel>
        </>
      ) : (
        <>
          <ConnectSteps tokens={tokens} first={first} create={create} />
          {tokensPanel}
          {provisioned}
          {requestsPanel}
        </>
      )}
      <CreateToken
        opened={creating}
        close={() => {
          setCreating(false)
          focusOpener()
        }}
        stored={focusOpener}
      />
    </>
  )
}
