import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import type { ScimToken } from '../../../api/contract'
import { EmptyState } from '../../../ui/empty-state'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/item-row.module.css'
import { More } from '../../../ui/more'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import stack from '../../../ui/stack.module.css'
import { scimWords as words } from '../../../words'
import { MakeToken } from './create-token'
import { TokenRow } from './token-row'

/** Tokens that can be used no more, and never will be again. */
const over = ['expired', 'revoked']

/** By what directories write to the team. */
export function TokensPanel({ tokens }: { tokens: ScimToken[] }) {
  const opener = useRef<HTMLButtonElement>(null)
  const [making, setMaking] = useState(false)
  const kept = tokens.filter(({ status }) => !over.includes(status))
  const ended = tokens.filter(({ status }) => over.includes(status))
  const make = (
    <Button ref={opener} leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
      {words.make}
    </Button>
  )
  return (
    <Panel title={words.tokens} about={words.tokensAbout} action={kept.length > 0 && make}>
      <div className={stack.fields}>
        {tokens.length === 0 && <EmptyState icon="key" text={words.noTokens} action={make} />}
        {ended.length > 0 && kept.length === 0 && (
          <>
            <Notice kind="warning">
              <p>{words.noLiveTokens}</p>
            </Notice>
            <div>{make}</div>
          </>
        )}
        {kept.length > 0 && <Rows tokens={kept} />}
        {ended.length > 0 && (
          <More summary={words.endedTokens(ended.length)}>
            <Rows tokens={ended} />
          </More>
        )}
      </div>
      <MakeToken
        opened={making}
        close={() => setMaking(false)}
        // The button may be another one by now, in another place.
        stored={() => setTimeout(() => opener.current?.focus())}
      />
    </Panel>
  )
}

function Rows({ tokens }: { tokens: ScimToken[] }) {
  return (
    <ul className={styles.list}>
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} />
      ))}
    </ul>
  )
}
