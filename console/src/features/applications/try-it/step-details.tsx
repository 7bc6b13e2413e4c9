import m from '../../../messages/en/try-it.json'
import stack from '../../../ui/layout/stack.module.css'
import { CodeBlock } from '../../../ui/secrets/code-block'
import { ClaimsTable } from './claims-table'
import { type Exchange, jsonText, requestText, urlText } from './exchange'
import styles from './timeline.module.css'
import type { Step } from './try-steps'

interface Props {
  step: Step
  /** shows tokens and codes */
  shown: boolean
}

/** The details of a step: claims, the token, requests and responses. */
export function StepDetails({ step, shown }: Props) {
  const { claims, token, exchanges, state } = step
  return (
    <>
      {claims && (
        <details className={styles.details} open={state === 'failed'}>
          <summary>{m.claimsTable()}</summary>
          <ClaimsTable claims={claims} />
        </details>
      )}
      {token && (
        <details className={styles.details}>
          <summary>{m.raw()}</summary>
          <div className={stack.tight}>
            {token.jwt ? (
              <>
                <CodeBlock label={m.header()} code={jsonText(token.jwt.header, true)} wrap />
                <CodeBlock label={m.payload()} code={jsonText(token.jwt.payload, true)} wrap />
              </>
            ) : (
              <p className={styles.text}>{m.opaque()}</p>
            )}
            <CodeBlock label={m.raw()} code={shown ? token.raw : '•'.repeat(24)} copy={token.raw} wrap />
          </div>
        </details>
      )}
      {exchanges.length > 0 && (
        <details className={styles.details} open={state === 'failed'}>
          <summary>{m.exchange({ count: exchanges.length })}</summary>
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
      <CodeBlock label={m.request()} code={requestText(exchange, shown)} wrap />
      {answer && <CodeBlock label={m.response({ status: answer.status })} code={jsonText(answer.body, shown)} wrap />}
      {cameBackTo && <CodeBlock label={m.callbackUrl()} code={urlText(cameBackTo, shown)} wrap />}
    </>
  )
}
