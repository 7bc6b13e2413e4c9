import { CodeBlock } from '../../../ui/code-block'
import stack from '../../../ui/stack.module.css'
import { tryWords as words } from '../../../words'
import { ClaimsTable } from './claims-table'
import { type Exchange, jsonText, requestText, urlText } from './exchange'
import styles from './timeline.module.css'
import type { Step } from './try-steps'

interface Props {
  step: Step
  /** whether tokens and codes are shown */
  shown: boolean
}

/** The evidence of a step, folded: claims in words, the token, what went over the wire. */
export function StepDetails({ step, shown }: Props) {
  const { claims, token, exchanges, state } = step
  return (
    <>
      {claims && (
        <details className={styles.details} open>
          <summary>{words.claimsTable}</summary>
          <ClaimsTable claims={claims} />
        </details>
      )}
      {token && (
        <details className={styles.details}>
          <summary>{words.raw}</summary>
          <div className={stack.tight}>
            {token.jwt ? (
              <>
                <CodeBlock label={words.header} code={jsonText(token.jwt.header, true)} wrap />
                <CodeBlock label={words.payload} code={jsonText(token.jwt.payload, true)} wrap />
              </>
            ) : (
              <p className={styles.text}>{words.opaque}</p>
            )}
            <CodeBlock label={words.raw} code={shown ? token.raw : '•'.repeat(24)} copy={token.raw} wrap />
          </div>
        </details>
      )}
      {exchanges.length > 0 && (
        <details className={styles.details} open={state === 'failed'}>
          <summary>{words.exchange(exchanges.length)}</summary>
          <div className={stack.tight}>
            {exchanges.map((exchange, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step's exchanges are only ever added.
              <ExchangeBlocks key={place} exchange={exchange} shown={shown} />
            ))}
          </div>
        </details>
      )}
    </>
  )
}

function ExchangeBlocks({ exchange, shown }: { exchange: Exchange; shown: boolean }) {
  const { answer, cameBackTo } = exchange
  return (
    <>
      <CodeBlock label={words.request} code={requestText(exchange, shown)} wrap />
      {answer && <CodeBlock label={words.answer(answer.status)} code={jsonText(answer.body, shown)} wrap />}
      {cameBackTo && <CodeBlock label={words.redirectAnswer} code={urlText(cameBackTo, shown)} wrap />}
    </>
  )
}
