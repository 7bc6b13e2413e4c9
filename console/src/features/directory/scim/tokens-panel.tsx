import { Button } from '@mantine/core'
import type { MouseEvent } from 'react'
import type { ScimToken } from '../../../api/contract'
import m from '../../../messages/en/scim.json'
import { Icon } from '../../../ui/icons/icon'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import styles from '../../../ui/page/item-row.module.css'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { TokenRow } from './token-row'

/** States in which a token can never be used again. */
const ENDED = ['expired', 'revoked']

interface Props {
  tokens: ScimToken[]
  create: (event: MouseEvent<HTMLButtonElement>) => void
}

/** The tokens with which directories connect. */
export function TokensPanel({ tokens, create }: Props) {
  const usable = tokens.filter(({ status }) => !ENDED.includes(status))
  const ended = tokens.filter(({ status }) => ENDED.includes(status))
  return (
    <Panel
      title={m.tokens()}
      about={m.tokensHelp()}
      action={
        <Button variant="default" leftSection={<Icon name="plus" />} onClick={create}>
          {m.create()}
        </Button>
      }
    >
      <div className={stack.fields}>
        {usable.length === 0 && (
          <Notice kind="warning">
            <p>{m.noActiveTokens()}</p>
          </Notice>
        )}
        {usable.length > 0 && <Rows tokens={usable} />}
        {ended.length > 0 && (
          <More summary={m.endedTokens({ count: ended.length })}>
            <Rows tokens={ended} />
          </More>
        )}
      </div>
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
